/* Streams over file descriptors. */
#include <unistd.h>

#include "fd.h"
#include "file.h"

static ssize_t read_fd(FILE *stream, void *to, size_t n) { return read(stream->fd, to, n); }

static ssize_t write_fd(FILE *stream, const void *from, size_t n) { return __rz_write_checked(stream->fd, from, n); }

static off_t seek_fd(FILE *stream, off_t offset, int whence) { return lseek(stream->fd, offset, whence); }

static int close_fd(FILE *stream) { return close(stream->fd); }

const struct __rz_stream_functions __rz_fd_functions = {read_fd, write_fd, seek_fd, close_fd};
