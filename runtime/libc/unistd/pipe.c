/*
 * Pipes inside the process: a buffer in memory with two ends. A read of an empty pipe waits for
 * another thread to write or to close the last writing end; no other process could. A write never
 * blocks, since the buffer grows.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fd.h"
#include "result.h"
#include "thread-state.h"

struct pipe {
  char *bytes;
  size_t start; /* the first byte that was not read yet */
  size_t end;
  size_t capacity;
  int ends; /* how many ends are open */
  int has_reader;
  int has_writer;
};

static void release(struct pipe *pipe) {
  if (--pipe->ends > 0) return;
  free(pipe->bytes);
  free(pipe);
}

/* What a thread did before it used the pipe happens before what the next user does. */
static void begin_use(const struct pipe *pipe) {
  if (__rz_has_threads) __rz_thread_acquire(pipe);
}
static void end_use(struct pipe *pipe) {
  if (__rz_has_threads) __rz_thread_release(pipe);
  __rz_wake_all(pipe);
}

/* Whether the pipe is still there: another thread may have closed both ends. */
static int wait_for_change(struct pipe *pipe) {
  pipe->ends++;
  __rz_block(__RZ_WAITS_FOR_PIPE, pipe, 0, __RZ_NEVER);
  const int is_open = pipe->ends > 1;
  release(pipe);
  __rz_cancellation_point();
  return is_open;
}

static ssize_t read_pipe(struct __rz_open_file *file, void *to, size_t n) {
  struct pipe *pipe = file->data;
  const int is_blocking = !(file->flags & O_NONBLOCK);
  if (n == 0) return 0;
  __rz_point(__RZ_WRITES, pipe);
  while (pipe->start == pipe->end && pipe->has_writer) {
    if (!is_blocking) return __rz_error(EAGAIN);
    if (!wait_for_change(pipe)) return __rz_error(EBADF);
  }
  begin_use(pipe);
  const size_t ready = pipe->end - pipe->start;
  if (n > ready) n = ready;
  if (n > 0) memcpy(to, pipe->bytes + pipe->start, n);
  pipe->start += n;
  if (pipe->start == pipe->end) pipe->start = pipe->end = 0;
  end_use(pipe);
  return (ssize_t)n;
}

static ssize_t write_pipe(struct __rz_open_file *file, const void *from, size_t n) {
  struct pipe *pipe = file->data;
  __rz_point(__RZ_WRITES, pipe);
  if (!pipe->has_reader) return __rz_error(EPIPE);
  begin_use(pipe);
  if (pipe->end + n > pipe->capacity) {
    size_t capacity = pipe->capacity * 2 > pipe->end + n ? pipe->capacity * 2 : pipe->end + n;
    char *larger = realloc(pipe->bytes, capacity);
    if (!larger) return -1;
    pipe->bytes = larger;
    pipe->capacity = capacity;
  }
  if (n > 0) memcpy(pipe->bytes + pipe->end, from, n);
  pipe->end += n;
  end_use(pipe);
  return (ssize_t)n;
}

static void release_reader(struct __rz_open_file *file) {
  struct pipe *pipe = file->data;
  pipe->has_reader = 0;
  release(pipe);
}

static void release_writer(struct __rz_open_file *file) {
  struct pipe *pipe = file->data;
  pipe->has_writer = 0;
  end_use(pipe);
  release(pipe);
}

static int reader_ready(struct __rz_open_file *file) {
  const struct pipe *pipe = file->data;
  return (pipe->start < pipe->end ? POLLIN : 0) | (pipe->has_writer ? 0 : POLLHUP);
}

static int writer_ready(struct __rz_open_file *file) {
  const struct pipe *pipe = file->data;
  return POLLOUT | (pipe->has_reader ? 0 : POLLERR);
}

static const struct __rz_open_file_functions reader = {read_pipe, NULL, S_IFIFO, release_reader, reader_ready};
static const struct __rz_open_file_functions writer = {NULL, write_pipe, S_IFIFO, release_writer, writer_ready};

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
