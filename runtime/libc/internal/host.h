/*
 * The narrow host interface: the C library's only access to the outside of the program's memory.
 *
 * `src/host` implements these functions twice: over the real machine, confined to the folders that
 * the user gave, and over a model in memory. The explorer calls the model for the same names.
 *
 * Conventions
 *   - A result >= 0 is success, a negative one is -errno (the numbers of <errno.h>).
 *   - A path is a pointer and a length, without the terminating zero; it may be relative to the
 *     host's current folder.
 *   - A handle names an open file of the host: 0, 1 and 2 are the standard streams. It is not a
 *     file descriptor: the table from descriptors to handles, and with it dup, pipe and
 *     close-on-exec, is C (unistd/fd.c).
 *   - The host touches memory only inside the ranges that it is given, and does not check them: the
 *     caller states them to the engine (engine.h), with what was really read or written.
 *   - Structures and constants below are the wire format; src/host/wire.ts repeats them, and a test
 *     compares.
 */
#ifndef RZ_HOST_H
#define RZ_HOST_H

#include <stddef.h>
#include <stdint.h>

#define __RZ_HOST(name) __attribute__((import_module("redzone"), import_name(#name)))

/*
 * Files. Flags of open are those of <fcntl.h>; O_APPEND writes at the end, O_DIRECTORY opens for
 * listing.
 */
int __host_open(const char *path, size_t length, int flags, unsigned mode) __RZ_HOST(__host_open);
int __host_close(int handle) __RZ_HOST(__host_close);

#define __HOST_CURRENT (-1L) /* an offset: read or write at the handle's own position, and move it */

int64_t __host_read(int handle, void *to, size_t n, int64_t offset) __RZ_HOST(__host_read);
int64_t __host_write(int handle, const void *from, size_t n, int64_t offset) __RZ_HOST(__host_write);
int64_t __host_seek(int handle, int64_t offset, int whence) __RZ_HOST(__host_seek);
int __host_truncate(int handle, int64_t size) __RZ_HOST(__host_truncate);
int __host_fchmod(int handle, unsigned mode) __RZ_HOST(__host_fchmod);
int __host_futimes(int handle, int64_t accessed, int64_t modified) __RZ_HOST(__host_futimes);
int __host_sync(int handle) __RZ_HOST(__host_sync);
int __host_isatty(int handle) __RZ_HOST(__host_isatty);

struct __host_stat {      /* offset */
  uint64_t device;        /*  0 */
  uint64_t inode;         /*  8 */
  uint32_t mode;          /* 16: type and permissions, as st_mode */
  uint32_t links;         /* 20 */
  int64_t size;           /* 24 */
  int64_t accessed;       /* 32: the times in nanoseconds since 1970 */
  int64_t modified;       /* 40 */
  int64_t changed;        /* 48 */
  uint64_t special;       /* 56: the device that the file is, as st_rdev */
};                        /* 64 bytes */

int __host_stat(const char *path, size_t length, int follow, struct __host_stat *out) __RZ_HOST(__host_stat);
int __host_fstat(int handle, struct __host_stat *out) __RZ_HOST(__host_fstat);

#define __HOST_NAME_MAX 255

struct __host_entry {              /* offset */
  uint64_t inode;                  /*  0 */
  uint32_t type;                   /*  8: the DT_* of <dirent.h> */
  uint32_t length;                 /* 12: of the name */
  char name[__HOST_NAME_MAX + 1];  /* 16: zero-terminated */
};

/*
 * Entry `index` of the folder that `handle` has open: returns 1, or 0 past the last. Index 0 reads
 * the folder again.
 */
int __host_list(int handle, int64_t index, struct __host_entry *out) __RZ_HOST(__host_list);

/* Names */
int __host_unlink(const char *path, size_t length) __RZ_HOST(__host_unlink);
int __host_rmdir(const char *path, size_t length) __RZ_HOST(__host_rmdir);
int __host_mkdir(const char *path, size_t length, unsigned mode) __RZ_HOST(__host_mkdir);
int __host_rename(const char *from, size_t from_length, const char *to, size_t to_length) __RZ_HOST(__host_rename);
int __host_link(const char *from, size_t from_length, const char *to, size_t to_length) __RZ_HOST(__host_link);
int __host_symlink(const char *text, size_t text_length, const char *at, size_t at_length) __RZ_HOST(__host_symlink);
int __host_chmod(const char *path, size_t length, unsigned mode) __RZ_HOST(__host_chmod);
int __host_utimes(const char *path, size_t length, int follow, int64_t accessed, int64_t modified)
    __RZ_HOST(__host_utimes);

/*
 * The text of a symbolic link, the current folder: the length of the text, of which at most n bytes
 * are stored.
 */
int64_t __host_readlink(const char *path, size_t length, char *to, size_t n) __RZ_HOST(__host_readlink);
int64_t __host_getcwd(char *to, size_t n) __RZ_HOST(__host_getcwd);
int __host_chdir(const char *path, size_t length) __RZ_HOST(__host_chdir);

/* The process */
#define __HOST_ARGUMENTS 0
#define __HOST_ENVIRONMENT 1

/*
 * A list of zero-terminated strings, one after the other: its length in bytes, of which at most n
 * are stored.
 */
int64_t __host_strings(int which, char *to, size_t n) __RZ_HOST(__host_strings);

#define __HOST_CLOCK_REALTIME 0  /* since 1970 */
#define __HOST_CLOCK_MONOTONIC 1
#define __HOST_CLOCK_CPU 2       /* used by this program */

int64_t __host_clock(int which) __RZ_HOST(__host_clock); /* in nanoseconds */
int __host_sleep(int64_t nanoseconds) __RZ_HOST(__host_sleep);
int __host_random(void *to, size_t n) __RZ_HOST(__host_random);

/*
 * Runs another program to its end. The arguments are a list of zero-terminated strings, its path
 * (searched in PATH if it has no slash) and its arguments with the name first; a list with its
 * environment; the handles of its standard streams. Returns the status as for wait, or -EPERM if
 * programs may not start others.
 */
int __host_run(const char *arguments, size_t arguments_length, const char *environment, size_t environment_length,
               const int handles[3]) __RZ_HOST(__host_run);

/*
 * Sockets: streams on the loopback, if the user allows them; otherwise -EPERM. A socket is a
 * handle, which is read, written and closed like that of a file, but never blocks: missing data is
 * -EAGAIN.
 */
#define __HOST_SOCKET_OPEN 0     /* a new handle, of a stream; of a socket for datagrams if n is 1 */
#define __HOST_SOCKET_BIND 1     /* to the address, a sockaddr_in or sockaddr_in6, in n bytes */
#define __HOST_SOCKET_CONNECT 2
#define __HOST_SOCKET_LISTEN 3
#define __HOST_SOCKET_ACCEPT 4   /* the handle of a client */
#define __HOST_SOCKET_NAME 5     /* stores at most n bytes of the address; its length */
#define __HOST_SOCKET_PEER 6
#define __HOST_SOCKET_READY 7    /* POLLIN, POLLOUT, POLLERR and POLLHUP */
#define __HOST_SOCKET_SHUTDOWN 8 /* no more will be written */
#define __HOST_SOCKET_WAIT 9     /* until something happens to a socket, at most n milliseconds */
#define __HOST_SOCKET_TO 10      /* where the next datagram goes */
#define __HOST_SOCKET_FROM 11    /* like PEER, where the last datagram came from */

int __host_socket(int call, int handle, void *address, size_t n) __RZ_HOST(__host_socket);

/*
 * The next n bytes of the test's input with this name (klee_make_symbolic, __VERIFIER_nondet_int,
 * ...). Where the test gives none, they are zero. The explorer makes them symbolic.
 */
void __host_input(void *to, size_t n, const char *name, size_t length) __RZ_HOST(__host_input);

/*
 * Mathematics to the accuracy of the host's. Each function is an import of its own, whose value is
 * the function of JavaScript: V8 calls the code of those that it knows directly.
 */
#define __RZ_HOST_MATH(name) double __host_math_##name(double x) __RZ_HOST(__host_math_##name);
#define __RZ_HOST_MATH_OF_TWO(name) double __host_math_##name(double x, double y) __RZ_HOST(__host_math_##name);

__RZ_HOST_MATH(sin)
__RZ_HOST_MATH(cos)
__RZ_HOST_MATH(tan)
__RZ_HOST_MATH(asin)
__RZ_HOST_MATH(acos)
__RZ_HOST_MATH(atan)
__RZ_HOST_MATH(sinh)
__RZ_HOST_MATH(cosh)
__RZ_HOST_MATH(tanh)
__RZ_HOST_MATH(asinh)
__RZ_HOST_MATH(acosh)
__RZ_HOST_MATH(atanh)
__RZ_HOST_MATH(exp)
__RZ_HOST_MATH(expm1)
__RZ_HOST_MATH(log)
__RZ_HOST_MATH(log2)
__RZ_HOST_MATH(log10)
__RZ_HOST_MATH(log1p)
__RZ_HOST_MATH(cbrt)
__RZ_HOST_MATH_OF_TWO(atan2)
__RZ_HOST_MATH_OF_TWO(pow)

#endif
