/** `src/platform/file-handle.ts` for a page: a file that grows, in memory. */
import { absolutePath } from './files.js';
import { fileAt, mountFile, workFolder } from './memory-files.js';

interface Growing {
  readonly path: string;
  /** Larger than the file, so that most writes copy nothing. */
  room: Uint8Array;
  length: number;
}

const handles = new Map<number, Growing>();
let last = 2;

export function openSync(path: string, flags: string): number {
  const absolute = absolutePath(workFolder, path);
  const bytes = flags === 'w' ? new Uint8Array() : (fileAt(absolute)?.bytes ?? new Uint8Array());
  const handle = ++last;
  handles.set(handle, { path: absolute, room: bytes.slice(), length: bytes.length });
  show(handle);
  return handle;
}

export function writeSync(
  handle: number,
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: number,
): number {
  const file = handles.get(handle)!;
  const end = position + length;
  if (end > file.room.length) {
    const room = new Uint8Array(Math.max(end, 2 * file.room.length));
    room.set(file.room.subarray(0, file.length));
    file.room = room;
  }
  file.room.set(bytes.subarray(offset, offset + length), position);
  file.length = Math.max(file.length, end);
  show(handle);
  return length;
}

export function ftruncateSync(handle: number, length: number): void {
  handles.get(handle)!.length = length;
  show(handle);
}

export function fdatasyncSync(_handle: number): void {
  // Memory needs no disk.
}

export function closeSync(handle: number): void {
  handles.delete(handle);
}

function show(handle: number): void {
  const { path, room, length } = handles.get(handle)!;
  mountFile(path, room.subarray(0, length));
}
