/* The table of descriptors; see fd.h. */
#include "fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"
#include "result.h"

static struct __rz_open_file standard_input = {.handle = 0, .flags = O_RDONLY, .references = 1};
static struct __rz_open_file standard_output = {.handle = 1, .flags = O_WRONLY, .references = 1};
static struct __rz_open_file standard_error = {.handle = 2, .flags = O_WRONLY, .references = 1};

struct __rz_descriptor __rz_descriptors[FD_MAX] = {{&standard_input, 0}, {&standard_output, 0}, {&standard_error, 0}};

void (*__rz_file_written)(struct __rz_open_file *file, off_t offset, const void *from, size_t n);

struct __rz_open_file *__rz_fd_file(int fd) {
  if (fd >= 0 && fd < FD_MAX && __rz_descriptors[fd].file) return __rz_descriptors[fd].file;
  errno = EBADF;
  return NULL;
}

int *__rz_fd_close_on_exec(int fd) { return &__rz_descriptors[fd].close_on_exec; }

struct __rz_open_file *__rz_new_open_file(int handle, int flags) {
  static unsigned long count;
  struct __rz_open_file *file = calloc(1, sizeof *file);
  if (!file) return NULL;
  file->serial = ++count;
  file->handle = handle;
  file->flags = flags;
  return file;
}

static int is_static(const struct __rz_open_file *file) {
  return file == &standard_input || file == &standard_output || file == &standard_error;
}

static int release(struct __rz_open_file *file) {
  int result = 0;
  if (file->functions) {
    if (file->functions->release) file->functions->release(file);
  } else {
    result = __host_close(file->handle);
  }
  free(file->path);
  if (!is_static(file)) free(file);
  return result;
}

void __rz_fd_set(int fd, struct __rz_open_file *file, int close_on_exec) {
  __rz_descriptors[fd].file = file;
  __rz_descriptors[fd].close_on_exec = close_on_exec;
  file->references++;
}

int __rz_fd_install(struct __rz_open_file *file, int lowest, int close_on_exec) {
  for (int fd = lowest; fd < FD_MAX; fd++) {
    if (__rz_descriptors[fd].file) continue;
    __rz_fd_set(fd, file, close_on_exec);
    return fd;
  }
  if (file->references == 0) release(file);
  return __rz_error(EMFILE);
}

int __rz_drop_open_file(struct __rz_open_file *file) { return --file->references > 0 ? 0 : release(file); }

int close(int fd) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  __rz_descriptors[fd].file = NULL;
  return (int)__rz_result(__rz_drop_open_file(file));
}
