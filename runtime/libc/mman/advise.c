/* Advice and locks on memory: there is nothing to do. */
#include <sys/mman.h>

#include <string.h>

int madvise(void *start, size_t size, int advice) {
  (void)start, (void)size, (void)advice;
  return 0;
}

int posix_madvise(void *start, size_t size, int advice) {
  (void)start, (void)size, (void)advice;
  return 0;
}

int mlock(const void *start, size_t size) {
  (void)start, (void)size;
  return 0;
}

int munlock(const void *start, size_t size) {
  (void)start, (void)size;
  return 0;
}

int mlockall(int flags) {
  (void)flags;
  return 0;
}

int munlockall(void) { return 0; }

int mincore(void *start, size_t size, unsigned char *resident) {
  (void)start;
  memset(resident, 1, (size + 4095) / 4096);
  return 0;
}
