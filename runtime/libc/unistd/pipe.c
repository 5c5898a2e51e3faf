/*
 * Pipes inside the process: a buffer in memory with two ends. No other process or thread could fill
 * an empty pipe, so a read that would block forever fails, with EAGAIN if the end is non-blocking
 * and EDEADLK if not. A write never blocks, since the buffer grows.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fd.h"
#include "result.h"

struct pipe {
  char *bytes;
  size_t start; /* the first byte that was not read yet */
  size_t end;
  size_t capacity;
  int ends; /* how many ends are open */
  int has_reader;
  int has_writer;
};

static ssize_t read_pipe(struct __rz_open_file *file, void *to, size_t n) {
  struct pipe *pipe = file->data;
  size_t ready = pipe->end - pipe->start;
  if (ready == 0 && pipe->has_writer && n > 0) return __rz_error(file->flags & O_NONBLOCK ? EAGAIN : EDEADLK);
  if (n > ready) n = ready;
  if (n > 0) memcpy(to, pipe->bytes + pipe->start, n);
  pipe->start += n;
  if (pipe->start == pipe->end) pipe->start = pipe->end = 0;
  return (ssize_t)n;
}

static ssize_t write_pipe(struct __rz_open_file *file, const void *from, size_t n) {
  struct pipe *pipe = file->data;
  if (!pipe->has_reader) return __rz_error(EPIPE);
  if (pipe->end + n > pipe->capacity) {
    size_t capacity = pipe->capacity * 2 > pipe->end + n ? pipe->capacity * 2 : pipe->end + n;
    char *larger = realloc(pipe->bytes, capacity);
    if (!larger) return -1;
    pipe->bytes = larger;
    pipe->capacity = capacity;
  }
  if (n > 0) memcpy(pipe->bytes + pipe->end, from, n);
  pipe->end += n;
  return (ssize_t)n;
}

static void release(struct pipe *pipe) {
  if (--pipe->ends > 0) return;
  free(pipe->bytes);
  free(pipe);
}

static void release_reader(struct __rz_open_file *file) {
  struct pipe *pipe = file->data;
  pipe->has_reader = 0;
  release(pipe);
}

static void release_writer(struct __rz_open_file *file) {
  struct pipe *pipe = file->data;
  pipe->has_writer = 0;
  release(pipe);
}

static const struct __rz_open_file_functions reader = {read_pipe, NULL, S_IFIFO, release_reader};
static const struct __rz_open_file_functions writer = {NULL, write_pipe, S_IFIFO, release_writer};

static int open_end(struct pipe *pipe, const struct __rz_open_file_functions *functions, int flags) {
  struct __rz_open_file *file = __rz_new_open_file(-1, (flags & O_NONBLOCK) | (functions == &reader ? O_RDONLY : O_WRONLY));
  if (!file) return -1;
  file->functions = functions;
  file->data = pipe;
  pipe->ends++;
  return __rz_fd_install(file, 0, (flags & O_CLOEXEC) != 0);
}

int pipe2(int ends[2], int flags) {
  if (flags & ~(O_CLOEXEC | O_NONBLOCK | O_DIRECT)) return __rz_error(EINVAL);
  struct pipe *pipe = calloc(1, sizeof *pipe);
  if (!pipe) return -1;
  pipe->has_reader = pipe->has_writer = 1;
  pipe->ends = 1; /* held by this function until both ends are open */
  int read_end = open_end(pipe, &reader, flags);
  int write_end = read_end < 0 ? -1 : open_end(pipe, &writer, flags);
  release(pipe);
  if (write_end < 0) {
    if (read_end >= 0) close(read_end);
    return -1;
  }
  ends[0] = read_end;
  ends[1] = write_end;
  return 0;
}

int pipe(int ends[2]) { return pipe2(ends, 0); }
