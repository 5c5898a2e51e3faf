/** `src/platform/files.ts` for a page: files in memory. Paths are those of POSIX. */
import type { FileStatus } from '../../src/platform/files.js';
import { below, cachePath, deleteFile, fileAt, isFolder, workFolder, writeFile } from './memory-files.js';
import { Sha256 } from './sha256.js';

export type { FileStatus };

export function readFileIfAny(path: string): Uint8Array | undefined {
  return fileAt(absolutePath(workFolder, path))?.bytes;
}

/** There are no links. */
export function resolvedPath(path: string): string | undefined {
  const absolute = absolutePath(workFolder, path);
  return kindOf(absolute) === undefined ? undefined : absolute;
}

export function isPipe(_path: string): boolean {
  return false;
}

export async function readPipe(_path: string, _signal: AbortSignal): Promise<Uint8Array> {
  return new Uint8Array();
}

export function readStream(path: string): Uint8Array {
  return readFileIfAny(path) ?? new Uint8Array();
}

export function whyUnreadable(path: string, name: string): string {
  return kindOf(path) === 'folder'
    ? `'${name}' is a folder: name the files in it`
    : `no such file: '${name}'`;
}

export function fileStatus(path: string): FileStatus | undefined {
  const file = fileAt(absolutePath(workFolder, path));
  return file && { bytes: file.bytes.length, modifiedMs: file.modifiedMs };
}

export function filesBelow(folder: string): string[] {
  return below(absolutePath(workFolder, folder))
    .map(([path]) => path)
    .sort();
}

export function entriesOf(folder: string): { name: string; kind: 'file' | 'folder' | 'other' }[] | undefined {
  const absolute = absolutePath(workFolder, folder);
  if (!isFolder(absolute)) return undefined;
  const names = new Set(filesBelow(absolute).map(path => path.split('/', 1)[0]!));
  return [...names].sort().map(name => ({ name, kind: kindOf(`${absolute}/${name}`) ?? 'other' }));
}

export function kindOf(path: string): 'file' | 'folder' | 'other' | undefined {
  const absolute = absolutePath(workFolder, path);
  if (fileAt(absolute) !== undefined) return 'file';
  return isFolder(absolute) ? 'folder' : undefined;
}

export function readFileStart(path: string, bytes: number): Uint8Array | undefined {
  return readFileIfAny(path)?.subarray(0, bytes);
}

/** A folder exists if a file is in it. */
export function whyUnwritable(folder: string): string | undefined {
  return kindOf(folder) === 'file' ? 'it is a file' : undefined;
}

export function isSystemError(_error: unknown): _error is Error {
  return false;
}

export function reasonOf({ message }: Error): string {
  return message;
}

export const writeFileAtomically: (path: string, bytes: Uint8Array) => void = put;
export const writeNewFile: (path: string, bytes: Uint8Array) => void = put;
export const overwriteFile: (path: string, bytes: Uint8Array) => void = put;

function put(path: string, bytes: Uint8Array): void {
  writeFile(absolutePath(workFolder, path), bytes);
}

export function writeProduct(path: string, bytes: Uint8Array, _isExecutable: boolean): string | undefined {
  put(path, bytes);
  return undefined;
}

export function appendToFile(path: string, bytes: Uint8Array): void {
  const earlier = readFileIfAny(path) ?? new Uint8Array();
  const all = new Uint8Array(earlier.length + bytes.length);
  all.set(earlier);
  all.set(bytes, earlier.length);
  put(path, all);
}

export function removeFile(path: string): void {
  deleteFile(absolutePath(workFolder, path));
}

export function touchFile(path: string): void {
  const file = fileAt(absolutePath(workFolder, path));
  if (file !== undefined) file.modifiedMs = Date.now();
}

export function workingFolder(): string {
  return workFolder;
}

export function absolutePath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export function relativePath(folder: string, path: string): string {
  const from = absolutePath('/', folder).split('/').filter(Boolean);
  const to = absolutePath('/', path).split('/').filter(Boolean);
  let common = 0;
  while (common < from.length && common < to.length && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/');
}

export function cacheFolder(): string {
  return cachePath;
}

const encoder = new TextEncoder();

export function contentHash(parts: Iterable<string | Uint8Array>): string {
  const hash = new Sha256();
  for (const part of parts) {
    const bytes = typeof part === 'string' ? encoder.encode(part) : part;
    hash.update(encoder.encode(`${bytes.length}:`)).update(bytes);
  }
  return hash.digest();
}

export function fileSum(bytes: Uint8Array): string;
export function fileSum(bytes: Uint8Array | undefined): string | undefined;
export function fileSum(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new Sha256().update(bytes).digest();
}
