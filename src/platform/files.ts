/**
 * Files, folders and paths of the machine. A missing file is `undefined`, not an exception; other
 * errors while reading (no permission, a folder instead of a file) count as missing, too.
 *
 * Paths inside Redzone use forward slashes on every machine.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Opening a FIFO waits for its other end otherwise. Windows does not know it. */
const withoutWaiting = constants.O_NONBLOCK ?? 0;

/** A FIFO or a device counts as missing, because reading it may never end. */
export function readFileIfAny(path: string): Uint8Array | undefined {
  try {
    const handle = openSync(path, constants.O_RDONLY | withoutWaiting);
    try {
      return fstatSync(handle).isFile() ? readFileSync(handle) : undefined;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

/** Reads a pipe or a device to its end. */
export function readStream(path: string): Uint8Array {
  return readFileSync(path);
}

/** The path with all links resolved; undefined if there is none. */
export function resolvedPath(path: string): string | undefined {
  try {
    return withForwardSlashes(realpathSync.native(path));
  } catch {
    return undefined;
  }
}

/** Whether it is a FIFO, such as `<(command)` of a shell. */
export function isPipe(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
  } catch {
    return false;
  }
}

const pipeWaitMs = 5;

/**
 * Reads a FIFO to its end, or rejects with the reason of the signal: it never blocks in a system
 * call, where no signal would help.
 */
export async function readPipe(path: string, signal: AbortSignal): Promise<Uint8Array> {
  const handle = openSync(path, constants.O_RDONLY | withoutWaiting);
  const chunks: Uint8Array[] = [];
  // Until a writer opens it, a read reports the end of the file.
  let hasWriter = false;
  try {
    for (;;) {
      signal.throwIfAborted();
      const chunk = new Uint8Array(65_536);
      let length: number | undefined;
      try {
        length = readSync(handle, chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      }
      hasWriter ||= length !== 0;
      if (length === 0 && hasWriter) return Buffer.concat(chunks);
      if (length) chunks.push(chunk.subarray(0, length));
      else await new Promise(resolve => setTimeout(resolve, pipeWaitMs));
    }
  } finally {
    closeSync(handle);
  }
}

/** Why `readFileIfAny` returns nothing for `path`, as a message with the user's name for it. */
export function whyUnreadable(path: string, name: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  // Node replaces bytes that are not UTF-8, so the original name is lost.
  if (status === undefined && name.includes('\ufffd'))
    return `'${name}' cannot be named: its name is not UTF-8`;
  if (status === undefined) return `no such file: '${name}'`;
  if (status.isDirectory()) return `'${name}' is a folder: name the files in it`;
  return status.isFile() ? `'${name}' cannot be read` : `'${name}' is not a regular file`;
}

export interface FileStatus {
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** Undefined unless `path` is a file. */
export function fileStatus(path: string): FileStatus | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  return status?.isFile() ? { bytes: status.size, modifiedMs: status.mtimeMs } : undefined;
}

/** The files below a folder, as paths relative to it, sorted; none when there is no such folder. */
export function filesBelow(folder: string): string[] {
  const found: string[] = [];
  const walk = (prefix: string): void => {
    for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) found.push(path);
    }
  };
  try {
    walk('');
  } catch {
    return [];
  }
  return found.sort();
}

/** What a folder holds, links followed, sorted by name; undefined when it cannot be read. */
export function entriesOf(folder: string): { name: string; kind: 'file' | 'folder' | 'other' }[] | undefined {
  try {
    return readdirSync(folder)
      .sort()
      .map(name => ({ name, kind: kindOf(join(folder, name)) ?? 'other' }));
  } catch {
    return undefined;
  }
}

/** The kind of a path, links followed; undefined if it does not exist. */
export function kindOf(path: string): 'file' | 'folder' | 'other' | undefined {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    return status.isFile() ? 'file' : status.isDirectory() ? 'folder' : 'other';
  } catch {
    return undefined;
  }
}

/** The first bytes of a file; undefined when it cannot be read. */
export function readFileStart(path: string, bytes: number): Uint8Array | undefined {
  try {
    const handle = openSync(path, 'r');
    try {
      const start = new Uint8Array(Math.min(bytes, fstatSync(handle).size));
      return start.subarray(0, readSync(handle, start, 0, start.length, 0));
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

/**
 * Creates a folder and its ancestors. Node's own `recursive` does not terminate where folders
 * cannot be created, as below `/proc`.
 */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) throw error;
  }
}

/**
 * Creates the folder if it does not exist. Returns why files cannot be written there; undefined if
 * they can.
 */
export function whyUnwritable(folder: string): string | undefined {
  try {
    makeFolder(folder);
    if (!statSync(folder).isDirectory()) return 'it is a file';
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error as Error);
  }
}

/** Checks in advance whether a file can be written there; undefined if it can. */
export function whyFileUnwritable(path: string): string | undefined {
  const kind = kindOf(path);
  if (kind === 'folder') return 'it is a folder';
  const folder = dirname(path);
  if (kind === undefined && kindOf(folder) !== 'folder') return `there is no folder '${folder}'`;
  try {
    // A file is replaced by a new one, so the folder must be writable.
    accessSync(kind === 'other' ? path : dirname(resolvedPath(path) ?? path), constants.W_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error as Error);
  }
}

/** Whether it is an error of the operating system. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/** The system's message without its code and call: "no space left on device". */
export function reasonOf({ message }: Error): string {
  return message.replace(/^[A-Z]+: /, '').replace(/, \w+( '.*')?$/, '');
}

/**
 * Writes a file atomically: readers never see a part of it, even when two processes write it at
 * once.
 */
export function writeFileAtomically(path: string, bytes: Uint8Array, isExecutable = false): void {
  makeFolder(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, bytes, { mode: isExecutable ? 0o777 : 0o666 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Writes a file that no other process uses yet: a plain write, many times cheaper than an atomic
 * one.
 */
export function writeNewFile(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes);
  } catch {
    makeFolder(dirname(path));
    writeFileSync(path, bytes);
  }
}

/**
 * Overwrites an existing file in place. Removing many files and creating them anew can take twenty
 * times as long: ext4 does not reuse the inode of a removed file for minutes, and searches all of
 * them for another.
 */
export function overwriteFile(path: string, bytes: Uint8Array): void {
  const handle = openSync(path, constants.O_WRONLY | constants.O_CREAT);
  try {
    writeFileSync(handle, bytes);
    ftruncateSync(handle, bytes.length);
  } finally {
    closeSync(handle);
  }
}

/**
 * Writes the output of a compiler. An existing file is replaced by a new one, because it may be
 * running; a device such as `/dev/null` is written to. Returns why it cannot be written; undefined
 * if it was.
 */
export function writeProduct(path: string, bytes: Uint8Array, isExecutable: boolean): string | undefined {
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status?.isFile()) rmSync(path);
    writeFileSync(path, bytes, { mode: isExecutable ? 0o777 : 0o666 });
    return undefined;
  } catch (error) {
    return reasonOf(error as Error);
  }
}

/** How long a FIFO may be full before nothing is assumed to read it. */
const mostPipeWaitMs = 10_000;

/**
 * Writes a file that the user named. Opening a FIFO that nothing reads would block, and so would
 * writing to a full one, where no signal would help: both are errors.
 */
export function writeNamedFile(path: string, contents: string | Uint8Array): void {
  if (!isPipe(path)) {
    writeFileSync(path, contents);
    return;
  }
  let handle: number;
  try {
    handle = openSync(path, constants.O_WRONLY | withoutWaiting);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENXIO' ? new Error(unreadPipe) : error;
  }
  try {
    let left = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
    for (let waitedMs = 0; left.length > 0; ) {
      try {
        left = left.subarray(writeSync(handle, left));
        waitedMs = 0;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        if (waitedMs >= mostPipeWaitMs) throw new Error(unreadPipe);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pipeWaitMs);
        waitedMs += pipeWaitMs;
      }
    }
  } finally {
    closeSync(handle);
  }
}

const unreadPipe = 'it is a FIFO that nothing reads';

/** Writes after what the file holds already. */
export function appendToFile(path: string, bytes: Uint8Array): void {
  makeFolder(dirname(path));
  appendFileSync(path, bytes);
}

export function removeFile(path: string): void {
  rmSync(path, { force: true });
}

/** Marks a file as used now, for caches that evict the least recently used. */
export function touchFile(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Another process removed the file, or it is not writable: it only expires sooner.
  }
}

export function workingFolder(): string {
  return withForwardSlashes(process.cwd());
}

/** `path` as seen from `folder`, absolute, without `.` and `..`. */
export function absolutePath(folder: string, path: string): string {
  return withForwardSlashes(resolve(folder, path));
}

/** The way from `folder` to `path`, both absolute. */
export function relativePath(folder: string, path: string): string {
  return withForwardSlashes(relative(folder, path));
}

function withForwardSlashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

/** The folder of Redzone's cache: `REDZONE_CACHE`, or this system's place for such files. */
export function cacheFolder(): string {
  const { REDZONE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (REDZONE_CACHE) return REDZONE_CACHE;
  // The XDG specification says to ignore a relative one.
  if (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, 'redzone');
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'redzone', 'cache');
  if (process.platform === 'darwin') return join(ownFolder(), 'Library', 'Caches', 'redzone');
  return join(ownFolder(), '.cache', 'redzone');
}

/**
 * The home folder, also if `HOME` is empty or relative: a cache in the current folder would be
 * unexpected.
 */
function ownFolder(): string {
  const given = homedir();
  return isAbsolute(given) ? given : (userInfo().homedir ?? tmpdir());
}

/** SHA-256 over the parts, each preceded by its length so that no two lists of parts look alike. */
export function contentHash(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    hash.update(`${typeof part === 'string' ? Buffer.byteLength(part) : part.length}:`);
    hash.update(part);
  }
  return hash.digest('hex');
}

/** SHA-256 of a file's contents, as `sha256sum` prints it. */
export function fileSum(bytes: Uint8Array): string;
export function fileSum(bytes: Uint8Array | undefined): string | undefined;
export function fileSum(bytes: Uint8Array | undefined): string | undefined {
  return bytes && createHash('sha256').update(bytes).digest('hex');
}
