/**
 * The wire format between C and the host: the constants and layouts of
 * `runtime/libc/internal/host.h` and of the public headers on which it depends. `wire.test.ts`
 * reads those headers and compares.
 */
import type { FileStat } from './host.js';

/** Flags of open, `<fcntl.h>`. */
export const open = {
  O_WRONLY: 0o1,
  O_RDWR: 0o2,
  O_ACCMODE: 0o3,
  O_CREAT: 0o100,
  O_EXCL: 0o200,
  O_TRUNC: 0o1000,
  O_APPEND: 0o2000,
  O_NONBLOCK: 0o4000,
  O_DIRECTORY: 0o200000,
  O_NOFOLLOW: 0o400000,
  O_TMPFILE: 0o20200000,
} as const;

/** Types of files in a mode, `<sys/stat.h>`. */
export const mode = {
  S_IFMT: 0o170000,
  S_IFREG: 0o100000,
  S_IFDIR: 0o40000,
  S_IFLNK: 0o120000,
  S_IFCHR: 0o20000,
  S_IFIFO: 0o10000,
  S_IFSOCK: 0o140000,
} as const;

export const whence = { SEEK_SET: 0, SEEK_CUR: 1, SEEK_END: 2 } as const;

/** An offset that means: at the handle's own position, and move it. */
export const CURRENT = -1;

/** Offsets inside `struct __host_stat`. */
export const statLayout = {
  device: 0,
  inode: 8,
  mode: 16,
  links: 20,
  size: 24,
  accessed: 32,
  modified: 40,
  changed: 48,
  special: 56,
  bytes: 64,
} as const;

/** Stores a `struct __host_stat`. */
export function storeStat(view: DataView, at: number, stat: FileStat): void {
  view.setBigUint64(at + statLayout.device, BigInt(stat.device), true);
  view.setBigUint64(at + statLayout.inode, BigInt(stat.inode), true);
  view.setUint32(at + statLayout.mode, stat.mode, true);
  view.setUint32(at + statLayout.links, stat.links, true);
  view.setBigInt64(at + statLayout.size, BigInt(stat.size), true);
  view.setBigInt64(at + statLayout.accessed, stat.accessed, true);
  view.setBigInt64(at + statLayout.modified, stat.modified, true);
  view.setBigInt64(at + statLayout.changed, stat.changed, true);
  view.setBigUint64(at + statLayout.special, BigInt(stat.special), true);
}

/** Offsets inside `struct __host_entry`. */
export const entryLayout = { inode: 0, type: 8, length: 12, name: 16, nameMax: 255 } as const;

export const strings = { __HOST_ARGUMENTS: 0, __HOST_ENVIRONMENT: 1 } as const;

export const clock = {
  __HOST_CLOCK_REALTIME: 0,
  __HOST_CLOCK_MONOTONIC: 1,
  __HOST_CLOCK_CPU: 2,
} as const;

export const poll = { POLLIN: 1, POLLOUT: 4, POLLERR: 8, POLLHUP: 16 } as const;

/** The operations of `__host_socket`. */
export const socketCall = {
  __HOST_SOCKET_OPEN: 0,
  __HOST_SOCKET_BIND: 1,
  __HOST_SOCKET_CONNECT: 2,
  __HOST_SOCKET_LISTEN: 3,
  __HOST_SOCKET_ACCEPT: 4,
  __HOST_SOCKET_NAME: 5,
  __HOST_SOCKET_PEER: 6,
  __HOST_SOCKET_READY: 7,
  __HOST_SOCKET_SHUTDOWN: 8,
  __HOST_SOCKET_WAIT: 9,
  __HOST_SOCKET_TO: 10,
  __HOST_SOCKET_FROM: 11,
} as const;

const named: ReadonlySet<number> = new Set([
  socketCall.__HOST_SOCKET_NAME,
  socketCall.__HOST_SOCKET_PEER,
  socketCall.__HOST_SOCKET_FROM,
]);

/**
 * The bytes of its memory, of which there are `length`, that a socket operation with this result
 * has stored: an address, or none.
 */
export function storedBySocket(call: number, result: number, length: number): number {
  return named.has(call) ? Math.max(0, Math.min(result, length)) : 0;
}

/** The functions `__host_math_*`. */
export const mathFunctions: readonly ((x: number, y: number) => number)[] = [
  Math.sin,
  Math.cos,
  Math.tan,
  Math.asin,
  Math.acos,
  Math.atan,
  Math.atan2,
  Math.sinh,
  Math.cosh,
  Math.tanh,
  Math.asinh,
  Math.acosh,
  Math.atanh,
  Math.exp,
  Math.expm1,
  Math.log,
  Math.log2,
  Math.log10,
  Math.log1p,
  Math.pow,
  Math.cbrt,
];

/** The name of the import that computes one of them. */
export const mathImport = (compute: (x: number, y: number) => number): string =>
  `__host_math_${compute.name}`;

/** Whether an import computes a function of its arguments, and does nothing else. */
export const isMathImport = (name: string): boolean => name.startsWith('__host_math_');
