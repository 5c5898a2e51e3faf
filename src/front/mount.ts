/**
 * The virtual file system of the embedded clang.
 *
 * Files lie flat in `/.redzone`, and an overlay (clang's `-ivfsoverlay`) gives them the names that they have on this
 * machine, so that relative names, `..` and diagnostics come out exactly as if clang had run in the user's folder:
 *
 *     name that clang asks for           overlay           mounted
 *     /home/me/project/src/../x.h  ───▶  canonical  ───▶  /.redzone/3
 *     /redzone/include/stdio.h                            /.redzone/4
 *
 * Why not mount them under their names: the runtime of the embedded tools takes `..` for nothing, so
 * that `src/../x.h` would be `src/x.h`.
 */
import { folderOf, type SourceFiles } from './includes.js';

export const mountFolder = '/.redzone';
export const overlayFlags: readonly string[] = ['-ivfsoverlay', `${mountFolder}/overlay`];

export function mountFiles(
  files: SourceFiles,
  paths: readonly string[],
): [path: string, bytes: Uint8Array][] {
  const mounted = paths.map((path, i): [string, Uint8Array] => [`${mountFolder}/${i}`, files.read(path)!]);
  const folders = new Map<string, object[]>();
  for (const [i, path] of paths.entries()) {
    const folder = folderOf(path);
    const contents = folders.get(folder) ?? [];
    folders.set(folder, contents);
    contents.push({ type: 'file', name: baseName(path), 'external-contents': `${mountFolder}/${i}` });
  }
  const overlay = {
    version: 0,
    'case-sensitive': 'true',
    'use-external-names': false,
    roots: [...folders].map(([name, contents]) => ({ type: 'directory', name, contents })),
  };
  mounted.push([`${mountFolder}/overlay`, new TextEncoder().encode(JSON.stringify(overlay))]);
  return mounted;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
