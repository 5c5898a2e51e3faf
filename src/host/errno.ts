/**
 * The error numbers of the C library's `<errno.h>` (Linux's) that the host can answer with, and the
 * way from Node's error codes to them. Node names errors by the same words on every system, its
 * numbers differ.
 */
export const errno = {
  EPERM: 1,
  ENOENT: 2,
  EIO: 5,
  ENXIO: 6,
  EBADF: 9,
  EAGAIN: 11,
  ENOMEM: 12,
  EACCES: 13,
  EBUSY: 16,
  EEXIST: 17,
  EXDEV: 18,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  ENFILE: 23,
  EMFILE: 24,
  ENOTTY: 25,
  ETXTBSY: 26,
  EFBIG: 27,
  ENOSPC: 28,
  ESPIPE: 29,
  EROFS: 30,
  EMLINK: 31,
  EPIPE: 32,
  ENAMETOOLONG: 36,
  ENOSYS: 38,
  ENOTEMPTY: 39,
  ELOOP: 40,
  EOVERFLOW: 75,
  EILSEQ: 84,
  EDESTADDRREQ: 89,
  EMSGSIZE: 90,
  EOPNOTSUPP: 95,
  EADDRINUSE: 98,
  EADDRNOTAVAIL: 99,
  ENETUNREACH: 101,
  ECONNABORTED: 103,
  ECONNRESET: 104,
  EISCONN: 106,
  ENOTCONN: 107,
  ETIMEDOUT: 110,
  ECONNREFUSED: 111,
  EDQUOT: 122,
} as const;

/** A negated member of `errno`: what a host function returns when it fails. */
export type Failure = number;

/**
 * Requires an error thrown by `node:fs`; anything else is rethrown, since it is a defect of ours.
 */
export function failureOf(error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') throw error;
  if (code in errno) return -errno[code as keyof typeof errno];
  if (code.startsWith('ERR_INVALID_ARG') || code === 'ERR_OUT_OF_RANGE') return -errno.EINVAL;
  return -errno.EIO;
}

/** The result of `action`, or the failure that it threw. */
export function attempt<T>(action: () => T): T | Failure {
  try {
    return action();
  } catch (error) {
    return failureOf(error);
  }
}
