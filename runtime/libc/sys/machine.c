/* Properties of the machine: one processor without special features. */
#include <errno.h>
#include <execinfo.h>
#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/sysinfo.h>

int backtrace(void **frames, int most) {
  (void)frames, (void)most;
  return 0;
}

char **backtrace_symbols(void *const *frames, int count) {
  (void)frames;
  return calloc(count > 0 ? count : 1, sizeof(char *));
}

void backtrace_symbols_fd(void *const *frames, int count, int fd) { (void)frames, (void)count, (void)fd; }

/* The options of prctl have no effect that the program could observe. */
int prctl(int option, ...) {
  (void)option;
  return 0;
}

unsigned long getauxval(unsigned long type) {
  if (type == AT_PAGESZ) return 4096;
  errno = ENOENT;
  return 0;
}

int get_nprocs(void) { return 1; }
int get_nprocs_conf(void) { return 1; }

int sysinfo(struct sysinfo *info) {
  memset(info, 0, sizeof *info);
  info->totalram = info->freeram = 1ul << 30;
  info->procs = 1;
  info->mem_unit = 1;
  return 0;
}

const char *gnu_get_libc_version(void) { return "2.36"; }
const char *gnu_get_libc_release(void) { return "stable"; }
