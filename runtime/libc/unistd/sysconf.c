#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "fd.h"
#include "given.h"
#include "result.h"

#define PAGE 4096
#define MEMORY_PAGES (1L << 18) /* 1 GiB */

long sysconf(int name) {
  switch (name) {
    case _SC_ARG_MAX: return 131072;
    case _SC_CHILD_MAX: return 1;
    case _SC_CLK_TCK: return 100;
    case _SC_NGROUPS_MAX: return 32;
    case _SC_OPEN_MAX: return FD_MAX;
    case _SC_STREAM_MAX: return 16;
    case _SC_TZNAME_MAX: return 6;
    case _SC_JOB_CONTROL: case _SC_SAVED_IDS: return 1;
    case _SC_VERSION: case _SC_THREADS: case _SC_MONOTONIC_CLOCK: return _POSIX_VERSION;
    case _SC_PAGESIZE: return PAGE;
    case _SC_IOV_MAX: return 1024;
    case _SC_GETPW_R_SIZE_MAX: case _SC_GETGR_R_SIZE_MAX: return 1024;
    case _SC_NPROCESSORS_CONF: case _SC_NPROCESSORS_ONLN: return 1;
    case _SC_PHYS_PAGES: case _SC_AVPHYS_PAGES: return MEMORY_PAGES;
    case _SC_HOST_NAME_MAX: return 64;
    case _SC_LOGIN_NAME_MAX: return 256;
    case _SC_TTY_NAME_MAX: return 32;
    case _SC_SYMLOOP_MAX: return 40;
    case _SC_LINE_MAX: return 2048;
    case _SC_THREAD_STACK_MIN: return 16384;
    case _SC_LEVEL1_DCACHE_LINESIZE: return 64;
    default: return __rz_error(EINVAL);
  }
}

long pathconf(const char *path, int name) {
  __rz_given_text(path);
  switch (name) {
    case _PC_LINK_MAX: return 127;
    case _PC_MAX_CANON: case _PC_MAX_INPUT: return 255;
    case _PC_NAME_MAX: return 255;
    case _PC_PATH_MAX: return PATH_MAX;
    case _PC_PIPE_BUF: return 4096;
    case _PC_CHOWN_RESTRICTED: case _PC_NO_TRUNC: return 1;
    case _PC_VDISABLE: return 0;
    default: return __rz_error(EINVAL);
  }
}

long fpathconf(int fd, int name) { return __rz_fd_file(fd) ? pathconf("", name) : -1; }

size_t confstr(int name, char *to, size_t size) {
  static const char path[] = "/bin:/usr/bin";
  if (name != _CS_PATH) {
    errno = EINVAL;
    return 0;
  }
  if (size > 0) {
    size_t n = size < sizeof path ? size - 1 : sizeof path - 1;
    memcpy(to, path, n);
    to[n] = 0;
  }
  return sizeof path;
}

int getpagesize(void) { return PAGE; }

int getdtablesize(void) { return FD_MAX; }
