/*
 * What glibc's malloc tells about itself and lets programs adjust. The allocators here have neither
 * arenas nor thresholds, so adjustments have no effect, and every statistic is zero.
 */
#include <malloc.h>

#define PAGE 4096

int mallopt(int parameter, int value) {
  (void)parameter, (void)value;
  return 1;
}

int malloc_trim(size_t kept) {
  (void)kept;
  return 0;
}

int malloc_info(int options, FILE *stream) {
  if (options != 0) return -1;
  fputs("<malloc version=\"1\">\n</malloc>\n", stream);
  return 0;
}

void malloc_stats(void) {}

struct mallinfo mallinfo(void) { return (struct mallinfo){0}; }

struct mallinfo2 mallinfo2(void) { return (struct mallinfo2){0}; }

void *pvalloc(size_t size) { return valloc((size + PAGE - 1) / PAGE * PAGE); }
