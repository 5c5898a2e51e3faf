/**
 * The open files of the real host, to which handles refer.
 *
 * Node has no lseek, so the position of a regular file is kept here and every transfer names its
 * offset. What has no position (a stream, a device, a FIFO) is read and written in order.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  writeSync,
} from 'node:fs';
import type { Confinement } from './confinement.js';
import { ByteContents } from './contents.js';
import {
  type Device,
  deviceMode,
  deviceNumbers,
  type RandomFill,
  readDevice,
  writeDevice,
} from './devices.js';
import { attempt, errno, type Failure, failureOf } from './errno.js';
import type { FileStat, FolderEntry } from './host.js';
import { type InputStream, type OutputStream, waitForDescriptor } from './standard-streams.js';
import { mode, open } from './wire.js';

/**
 * How a file takes part in the calls on handles; a method that is missing means that the kind
 * cannot do it.
 */
export interface OpenFile {
  /** False for a stream, which is sequential. */
  readonly hasPosition: boolean;
  /** A device has no position, but is read and written at any offset. */
  readonly isDevice?: true;
  readonly isTerminal?: boolean;
  read(memory: Uint8Array, start: number, length: number, offset: number): number;
  /** `offset` is -1 to append. */
  write(memory: Uint8Array, start: number, length: number, offset: number): number;
  size(): number;
  stat(): FileStat | Failure;
  truncate?(size: number): number;
  chmod?(permissions: number): number;
  utimes?(accessed: bigint, modified: bigint): number;
  sync?(): number;
  list?(index: number): FolderEntry | Failure;
  close?(): void;
}

/** Opens a resolved path, with the flags of the program. */
export function openRealFile(
  walls: Confinement,
  path: string,
  flags: number,
  permissions: number,
): OpenFile | Failure {
  try {
    const fd = openWithoutWaiting(path, flags, permissions & 0o777);
    if (!walls.contains(realPathOf(fd, path))) {
      closeSync(fd);
      return -errno.EACCES;
    }
    const stat = fstatSync(fd);
    if (stat.isDirectory()) return new RealFolder(fd, path);
    // Truncation waits until the check above, so a file swapped in from outside keeps its bytes.
    if (flags & open.O_TRUNC && flags & open.O_ACCMODE) ftruncateSync(fd, 0);
    return new RealFile(fd, stat.isFile(), flags);
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * A FIFO is opened for writing when it has a reader. The thread waits here and not in a system
 * call, so that it can be ended.
 */
function openWithoutWaiting(path: string, flags: number, permissions: number): number {
  for (;;) {
    try {
      return openSync(path, nodeFlags(flags), permissions);
    } catch (error) {
      const isWaiting = failureOf(error) === -errno.ENXIO && !(flags & open.O_NONBLOCK);
      if (!isWaiting || !lstatSync(path, { throwIfNoEntry: false })?.isFIFO()) throw error;
      waitForDescriptor();
    }
  }
}

function nodeFlags(flags: number): number {
  let result = constants.O_NOFOLLOW | constants.O_NONBLOCK | (flags & open.O_ACCMODE);
  if (flags & open.O_CREAT) result |= constants.O_CREAT;
  if (flags & open.O_EXCL) result |= constants.O_EXCL;
  if (flags & open.O_APPEND) result |= constants.O_APPEND;
  if (flags & open.O_DIRECTORY) result |= constants.O_DIRECTORY;
  return result;
}

/**
 * The real path of an open descriptor. Linux provides it; elsewhere the path is resolved again and
 * compared.
 */
function realPathOf(fd: number, path: string): string {
  if (process.platform === 'linux') return realpathSync(`/proc/self/fd/${fd}`);
  const again = realpathSync(path);
  return lstatSync(again).ino === fstatSync(fd).ino ? again : '';
}

function readOnce(
  fd: number,
  memory: Uint8Array,
  start: number,
  length: number,
  offset: number | null,
): number {
  try {
    return readSync(fd, memory, start, length, offset);
  } catch (error) {
    return failureOf(error);
  }
}

/** The common part of files and folders: a descriptor of the machine. */
class Descriptor {
  constructor(protected readonly fd: number) {}

  stat(): FileStat | Failure {
    return attempt(() => fileStat(fstatSync(this.fd, { bigint: true })));
  }

  chmod(permissions: number): number {
    return done(() => fchmodSync(this.fd, permissions & 0o777));
  }

  utimes(accessed: bigint, modified: bigint): number {
    return done(() => futimesSync(this.fd, Number(accessed) / 1e9, Number(modified) / 1e9));
  }

  sync(): number {
    return done(() => fsyncSync(this.fd));
  }

  close(): void {
    closeSync(this.fd);
  }
}

class RealFile extends Descriptor implements OpenFile {
  readonly #appends: boolean;
  /** The program has opened it with O_NONBLOCK. */
  readonly #isImpatient: boolean;
  /** Until a FIFO has had a writer, reading it looks like the end of the file. */
  #hasWriter: boolean;
  readonly hasPosition: boolean;

  constructor(fd: number, hasPosition: boolean, flags: number) {
    super(fd);
    this.hasPosition = hasPosition;
    this.#appends = (flags & open.O_APPEND) !== 0;
    this.#isImpatient = (flags & open.O_NONBLOCK) !== 0;
    this.#hasWriter = this.#isImpatient || (flags & open.O_ACCMODE) !== 0;
  }

  read(memory: Uint8Array, start: number, length: number, offset: number): number {
    if (this.hasPosition) return readOnce(this.fd, memory, start, length, offset);
    for (;;) {
      const result = readOnce(this.fd, memory, start, length, null);
      this.#hasWriter ||= result > 0 || result === -errno.EAGAIN;
      const isWaiting =
        result === -errno.EAGAIN ? !this.#isImpatient : result === 0 && !this.#hasWriter && length > 0;
      if (!isWaiting) return result;
      waitForDescriptor();
    }
  }

  write(memory: Uint8Array, start: number, length: number, offset: number): number {
    const position = this.hasPosition && !this.#appends ? offset : null;
    for (;;) {
      try {
        return writeSync(this.fd, memory, start, length, position);
      } catch (error) {
        const failure = failureOf(error);
        if (failure !== -errno.EAGAIN || this.#isImpatient) return failure;
        waitForDescriptor();
      }
    }
  }

  size(): number {
    return fstatSync(this.fd).size;
  }

  truncate(size: number): number {
    return done(() => ftruncateSync(this.fd, size));
  }
}

class RealFolder extends Descriptor implements OpenFile {
  readonly #path: string;
  readonly hasPosition = true;
  #entries: FolderEntry[] = [];

  constructor(fd: number, path: string) {
    super(fd);
    this.#path = path;
  }

  read(): number {
    return -errno.EISDIR;
  }

  write(): number {
    return -errno.EBADF;
  }

  size(): number {
    return 0;
  }

  list(index: number): FolderEntry | Failure {
    if (index === 0) {
      const entries = attempt(() => this.#readEntries());
      if (typeof entries === 'number') return entries;
      this.#entries = entries;
    }
    return this.#entries[index] ?? 0;
  }

  #readEntries(): FolderEntry[] {
    const names = readdirSync(this.#path).sort();
    const self = { inode: fstatSync(this.fd).ino, type: mode.S_IFDIR >> 12 };
    const entries: FolderEntry[] = [
      { name: '.', ...self },
      { name: '..', ...self },
    ];
    for (const name of names) {
      const stat = lstatSync(`${this.#path}/${name}`, { throwIfNoEntry: false });
      if (stat) entries.push({ name, inode: stat.ino, type: (stat.mode & mode.S_IFMT) >> 12 });
    }
    return entries;
  }
}

/** A file without a name, in memory: O_TMPFILE. */
export class UnnamedFile implements OpenFile {
  readonly #contents = new ByteContents();
  readonly hasPosition = true;

  read(memory: Uint8Array, start: number, length: number, offset: number): number {
    return this.#contents.read(memory, start, length, offset);
  }

  write(memory: Uint8Array, start: number, length: number, offset: number): number {
    this.#contents.write(memory, start, length, offset < 0 ? this.#contents.size : offset);
    return length;
  }

  size(): number {
    return this.#contents.size;
  }

  stat(): FileStat {
    return plainStat(mode.S_IFREG | 0o600, this.#contents.size);
  }

  truncate(size: number): number {
    this.#contents.truncate(size);
    return 0;
  }
}

export function deviceFile(device: Device, random: RandomFill): OpenFile {
  return {
    hasPosition: false,
    isDevice: true,
    read: (memory, start, length) => readDevice(device, memory, start, length, random),
    write: (_memory, _start, length) => writeDevice(device, length),
    size: () => 0,
    stat: () => ({ ...plainStat(deviceMode, 0), special: deviceNumbers[device] }),
  };
}

/**
 * Standard input that was redirected from a file. Its position is shared with the processes that
 * have the file, too, and is moved by reading there; Node cannot set it, so after a seek to
 * elsewhere only this program's own position moves.
 */
export class RedirectedFile implements OpenFile {
  readonly hasPosition = true;
  readonly #fd: number;
  #shared: number;

  private constructor(fd: number, position: number) {
    this.#fd = fd;
    this.#shared = position;
  }

  /** Undefined for another kind of file, and where the system does not tell the position. */
  static of(fd: number): RedirectedFile | undefined {
    try {
      return fstatSync(fd).isFile() ? new RedirectedFile(fd, sharedPosition(fd)) : undefined;
    } catch {
      return undefined;
    }
  }

  /** The position of the processes that share the file, one of which may have moved it. */
  position(): number {
    this.#shared = sharedPosition(this.#fd);
    return this.#shared;
  }

  read(memory: Uint8Array, start: number, length: number, offset: number): number {
    if (offset !== this.#shared) return readOnce(this.#fd, memory, start, length, offset);
    const count = readOnce(this.#fd, memory, start, length, null);
    if (count > 0) this.#shared += count;
    return count;
  }

  write(): number {
    return -errno.EBADF;
  }

  size(): number {
    return fstatSync(this.#fd).size;
  }

  stat(): FileStat | Failure {
    return attempt(() => fileStat(fstatSync(this.#fd, { bigint: true })));
  }
}

function sharedPosition(fd: number): number {
  return Number(/^pos:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))![1]);
}

export function inputFile(stream: InputStream): OpenFile {
  return {
    hasPosition: false,
    isTerminal: stream.isTerminal,
    read: (memory, start, length) => stream.read(memory, start, length),
    write: () => -errno.EBADF,
    size: () => 0,
    stat: () => plainStat(streamMode(stream.isTerminal), 0),
  };
}

export function outputFile(stream: OutputStream): OpenFile {
  return {
    hasPosition: false,
    isTerminal: stream.isTerminal,
    read: () => -errno.EBADF,
    write: (memory, start, length) => stream.write(memory, start, length),
    size: () => 0,
    stat: () => plainStat(streamMode(stream.isTerminal), 0),
  };
}

function streamMode(isTerminal: boolean): number {
  return isTerminal ? mode.S_IFCHR | 0o620 : mode.S_IFIFO | 0o600;
}

function plainStat(fileMode: number, size: number): FileStat {
  const never = { accessed: 0n, modified: 0n, changed: 0n };
  return { device: 0, inode: 0, mode: fileMode, links: 1, size, ...never, special: 0 };
}

/** From what Node says about a file. */
export function fileStat(stat: {
  dev: bigint;
  ino: bigint;
  mode: bigint;
  nlink: bigint;
  size: bigint;
  atimeNs: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  rdev: bigint;
}): FileStat {
  return {
    device: Number(stat.dev),
    inode: Number(stat.ino),
    mode: Number(stat.mode),
    links: Number(stat.nlink),
    size: Number(stat.size),
    accessed: stat.atimeNs,
    modified: stat.mtimeNs,
    changed: stat.ctimeNs,
    special: Number(stat.rdev),
  };
}

/** 0, or the failure that `action` threw. */
export function done(action: () => void): number {
  try {
    action();
    return 0;
  } catch (error) {
    return failureOf(error);
  }
}
