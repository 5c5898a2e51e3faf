/* There is one process: a call that would create another one is reported. */
#include <unistd.h>

#include "clock-state.h"
#include "engine.h"
#include "given.h"
#include "result.h"
#include "unsupported.h"

_Noreturn void _exit(int status) { __rz_exit(status); }

/* In a program with threads, fork would copy only the calling one. */
pid_t fork(void) {
  if (__rz_time_is_modelled) __rz_abort("unsupported", "`fork` in a program with threads is not supported");
  UNSUPPORTED("fork", ONE_PROCESS);
}
pid_t vfork(void) { return fork(); }

int daemon(int keep_folder, int keep_streams) {
  (void)keep_folder, (void)keep_streams;
  UNSUPPORTED("daemon", ONE_PROCESS);
}

int chroot(const char *path) {
  __rz_given_text(path);
  return __rz_error(EPERM);
}

int nice(int increment) {
  if (increment == 0) return 0;
  return __rz_error(increment < 0 ? EPERM : ENOSYS);
}

/* The engine owns the heap. */
int brk(void *end) {
  (void)end;
  return __rz_error(ENOMEM);
}

void *sbrk(intptr_t increment) {
  (void)increment;
  errno = ENOMEM;
  return (void *)-1;
}

long syscall(long number, ...) {
  (void)number;
  return __rz_error(ENOSYS);
}
