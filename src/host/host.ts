/**
 * The host interface: the operating system below the C library, in terms of strings, numbers and
 * bytes.
 *
 *        C library ── __host_* imports ──▶ bindHost ──▶ Host ─┬─ RealHost    the machine, confined to folders
 *                     (pointers, BigInt)                      └─ ModelHost   in memory, deterministic, forkable
 *
 * Invariants
 *   - A number >= 0 is success, a negative one is a `Failure` (-errno). Nothing is thrown for what
 *     a program does.
 *   - Handles are small integers; 0, 1 and 2 are the standard streams. A handle has one position,
 *     and only calls with offset `CURRENT` use and move it.
 *   - `read` and `write` get the whole memory and a range in it rather than a view of the range:
 *     they are the hot path, and a view per call would cost more than the copy of a short line.
 */
import type { Failure } from './errno.js';
import type { NamedInput } from './inputs.js';

export interface FileStat {
  device: number;
  inode: number;
  /** Type and permissions, as `st_mode`. */
  mode: number;
  links: number;
  size: number;
  /** Times in nanoseconds since 1970. */
  accessed: bigint;
  modified: bigint;
  changed: bigint;
  /** The device that the file is, as `st_rdev`; 0 for other files. */
  special: number;
}

export interface FolderEntry {
  name: string;
  inode: number;
  /** The file's type as in a mode, shifted: `DT_*` of `<dirent.h>`. */
  type: number;
}

export interface Host {
  open(path: string, flags: number, mode: number): number;
  close(handle: number): number;
  read(handle: number, memory: Uint8Array, start: number, length: number, offset: number): number;
  write(handle: number, memory: Uint8Array, start: number, length: number, offset: number): number;
  seek(handle: number, offset: number, whence: number): number;
  truncate(handle: number, size: number): number;
  fchmod(handle: number, mode: number): number;
  futimes(handle: number, accessed: bigint, modified: bigint): number;
  sync(handle: number): number;
  isatty(handle: number): number;
  stat(path: string, follow: boolean): FileStat | Failure;
  fstat(handle: number): FileStat | Failure;
  /** Entry `index` of an open folder, or 0 past the last one. Index 0 reads the folder anew. */
  list(handle: number, index: number): FolderEntry | Failure;

  unlink(path: string): number;
  rmdir(path: string): number;
  mkdir(path: string, mode: number): number;
  rename(from: string, to: string): number;
  link(from: string, to: string): number;
  symlink(text: string, at: string): number;
  chmod(path: string, mode: number): number;
  utimes(path: string, follow: boolean, accessed: bigint, modified: bigint): number;
  readlink(path: string): string | Failure;
  getcwd(): string;
  chdir(path: string): number;

  /** `argv`, the program's name first. */
  arguments(): readonly string[];
  /** `NAME=value`, each. */
  environment(): readonly string[];
  /** Nanoseconds of the clock `which` (`wire.clock`). */
  clock(which: number): bigint;
  sleep(nanoseconds: bigint): number;
  random(memory: Uint8Array, start: number, length: number): void;
  /**
   * Runs another program to its end. `program` is its path and then its arguments, its name first;
   * `streams` are the handles of its standard streams, -1 for none. The status as `wait` has it.
   */
  run(program: readonly string[], environment: readonly string[], streams: readonly number[]): number;
  /**
   * Performs a socket operation (`wire.socketCall`); `memory` has the address, or receives it. A
   * socket is a handle: `read`, `write` and `close` are those of files, but a read without data
   * fails with EAGAIN.
   */
  socket(call: number, handle: number, memory: Uint8Array, start: number, length: number): number;
  /** The next input of this name in the test; zero bytes if it has none. */
  input(name: string, memory: Uint8Array, start: number, length: number): void;
}

/** A host that belongs to one path of the explorer. */
export interface ForkableHost extends Host {
  /** A second host with the same state; afterwards they are independent. */
  fork(): ForkableHost;
  /** Whether both, of which one was forked from the other, will always return the same results. */
  isLike(other: ForkableHost): boolean;
  /** The output of the program. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Whether output to the handle is only shown, and cannot be read back. */
  isOutput(handle: number): boolean;
}

/** The start of a program, on either host. */
export interface ProgramStart {
  /** `argv`, the program's name first. */
  arguments: readonly string[];
  environment?: Readonly<Record<string, string>>;
  /** The inputs of the test to run, for `klee_make_symbolic` and similar functions. */
  inputs?: readonly NamedInput[];
}

export function environmentList(start: ProgramStart): string[] {
  return Object.entries(start.environment ?? {}).map(([name, value]) => `${name}=${value}`);
}
