/**
 * The files of a page: bytes by absolute path, in the memory of this worker.
 *
 * Nothing is read from the network here: the code that starts a worker mounts its files
 * (`assets.ts`). Each worker has its own files, and passes copies of the cache to workers that use
 * it.
 */
export interface MemoryFile {
  bytes: Uint8Array;
  modifiedMs: number;
}

const files = new Map<string, MemoryFile>();

/** The folder of the cache (`kept-cache.ts`). */
export const cachePath = '/cache';

/** Called with each file of the cache that is written. */
let onCached: ((path: string, bytes: Uint8Array) => void) | undefined;

export function watchCache(listener: (path: string, bytes: Uint8Array) => void): void {
  onCached = listener;
}

export function fileAt(path: string): MemoryFile | undefined {
  return files.get(path);
}

/** Adds a file that existed before, without writing it. */
export function mountFile(path: string, bytes: Uint8Array): void {
  files.set(path, { bytes, modifiedMs: Date.now() });
}

export function writeFile(path: string, bytes: Uint8Array): void {
  mountFile(path, bytes.slice());
  if (path.startsWith(`${cachePath}/`)) onCached?.(path, bytes);
}

export function deleteFile(path: string): void {
  files.delete(path);
}

/** The files below a folder, by their paths relative to it. */
export function below(folder: string): [path: string, file: MemoryFile][] {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  const found: [string, MemoryFile][] = [];
  for (const [path, file] of files)
    if (path.startsWith(prefix)) found.push([path.slice(prefix.length), file]);
  return found;
}

export function isFolder(path: string): boolean {
  if (path === '/' || path === workFolder) return true;
  for (const other of files.keys()) if (other.startsWith(`${path}/`)) return true;
  return false;
}

/** The working folder: relative names start here. */
export const workFolder = '/page';
