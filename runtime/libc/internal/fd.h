/*
 * File descriptors: small integers of the program, each of which refers to an open file.
 *
 *     descriptor 0 1 2 3 4 ...          dup makes a second descriptor refer to the same open file: they share
 *                │ │ │ └─┴──▶ open file   position and flags. The last close releases it.
 *                            (handle of the host, or functions of its own such as a pipe's)
 *
 * Invariant: `references` is the number of descriptors and shared mappings that refer to the open
 * file.
 */
#ifndef RZ_FD_H
#define RZ_FD_H

#include <fcntl.h>
#include <sys/types.h>

#define FD_MAX 256

struct __rz_open_file;

/*
 * For open files that are not the host's. They return -1 and set errno; a missing one fails with
 * EINVAL or ESPIPE.
 */
struct __rz_open_file_functions {
  ssize_t (*read)(struct __rz_open_file *file, void *to, size_t n);
  ssize_t (*write)(struct __rz_open_file *file, const void *from, size_t n);
  mode_t type; /* the file type: S_IFIFO, S_IFSOCK */
  void (*release)(struct __rz_open_file *file);
  int (*ready)(struct __rz_open_file *file); /* as revents of poll; null means always ready */
};

struct __rz_open_file {
  int handle; /* the handle of the host, unless there are functions */
  int flags;  /* the flags of open: access mode, O_APPEND, O_NONBLOCK */
  int references;
  int host_appends; /* the host itself writes at the end */
  const struct __rz_open_file_functions *functions;
  void *data;   /* for the functions */
  char *path;   /* the path of a folder, for openat and fchdir; from malloc */
  unsigned long serial; /* differs between the files that are opened in a run */
};

/*
 * The table of descriptors. `explore` reads it to find the file of a stream
 * (instructions/chosen-arguments.ts).
 */
struct __rz_descriptor {
  struct __rz_open_file *file;
  int close_on_exec;
};
extern struct __rz_descriptor __rz_descriptors[FD_MAX];

/* The open file, or NULL with errno EBADF. */
struct __rz_open_file *__rz_fd_file(int fd);

/* Whether it was opened for this direction. The host decides for the standard streams. */
static inline int __rz_is_for(const struct __rz_open_file *file, int other_mode) {
  return file->handle <= 2 || (file->flags & O_ACCMODE) != other_mode;
}

/*
 * The poll state of the file; and a short wait for a file that was not ready, which lets other
 * threads run. At most this many nanoseconds; returns those that it may have taken.
 */
int __rz_file_ready(struct __rz_open_file *file);
long __rz_wait_for_files(long nanoseconds);

/* Nanoseconds until the next descriptor of a timer is ready; set by the first one. */
extern long (*__rz_until_timer)(void);

/* A new open file without references; NULL with errno ENOMEM. */
struct __rz_open_file *__rz_new_open_file(int handle, int flags);

/*
 * The lowest free descriptor >= lowest for `file`; -1 with errno EMFILE, and then an unreferenced
 * file is released.
 */
int __rz_fd_install(struct __rz_open_file *file, int lowest, int close_on_exec);

/* Makes descriptor `fd`, in range and free, refer to `file`. */
void __rz_fd_set(int fd, struct __rz_open_file *file, int close_on_exec);

int *__rz_fd_close_on_exec(int fd);

/* Drops a reference; the last one releases the file. Returns the host's result. */
int __rz_drop_open_file(struct __rz_open_file *file);

/* `write` of bytes that the engine has already checked: they come from the buffer of a stream. */
ssize_t __rz_write_checked(int fd, const void *from, size_t n);

/*
 * Returns the result of a write. If the other end of the pipe is closed, SIGPIPE arrives first; its
 * default action ends the program without a finding, as natively in a pipeline.
 */
ssize_t __rz_write_result(ssize_t count);

/* Delivers SIGPIPE; set once the program has chosen what signals do. */
extern void (*__rz_on_broken_pipe)(void);

/*
 * Set by mmap once a file is mapped shared: called after a write to a file of the host, so that the
 * mapping shows it.
 */
extern void (*__rz_file_written)(struct __rz_open_file *file, off_t offset, const void *from, size_t n);

#endif
