/** Versions of the packages that Redzone stands on. */
import { absolutePath, readFileIfAny } from '../platform/files.js';
import { packageRoot } from '../platform/node.js';

/** The version of an installed package, found as Node finds it: in `node_modules` here or further up. */
export function packageVersion(name: string): string | undefined {
  for (let folder = absolutePath(packageRoot, '.'); ; folder = absolutePath(folder, '..')) {
    const found = versionIn(`${folder}/node_modules/${name}/package.json`);
    if (found !== undefined) return found;
    if (folder === absolutePath(folder, '..')) return undefined;
  }
}

function versionIn(path: string): string | undefined {
  const bytes = readFileIfAny(path);
  if (bytes === undefined) return undefined;
  return (JSON.parse(new TextDecoder().decode(bytes)) as { version: string }).version;
}
