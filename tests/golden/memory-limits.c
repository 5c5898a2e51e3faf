// engines: check explore
// cases: 5
// Requests that there is no memory for: no error of a program that looks.
#include "cases.h"

#include <errno.h>

static volatile long sink;

/* Other machines may have the memory. A request of a tebibyte or more leaves a run conclusive. */
#ifdef __wasm__
#define REQUEST(call) (call)
#else
#define REQUEST(call) (errno = ENOMEM, NULL)
#endif

static void two_gigabytes(void) {
  char *block = BUGGY(REQUEST(malloc((size_t)opaque(2000000000))), malloc(200));
  BUGGY(, if (!block) return);
  block[0] = 1; //~ ERROR out-of-memory
  free(block);
}

static void handled(void) {
  errno = 0;
  char *block = REQUEST(malloc((size_t)opaque(1l << 41)));
  if (block || errno != ENOMEM) sink = *(volatile int *)0;
  int *small = malloc(4);
  small[opaque(BUGGY(1, 0))] = 1; //~ ERROR heap-buffer-overflow
  free(small);
}

static void another_null(void) {
  if (REQUEST(malloc((size_t)opaque(3l << 41)))) sink = *(volatile int *)0;
  int *other = malloc(4), *p = opaque(BUGGY(0, 1)) ? other : NULL;
  *p = 1; //~ ERROR null-dereference
  free(other);
}

static void every_way_to_ask(void) {
  size_t large = (size_t)opaque(1l << 41);
  char *kept = malloc(8);
  kept[0] = 7;
  void *aligned = NULL;
  if (REQUEST(calloc(large, 1)) || REQUEST(realloc(kept, large)) || REQUEST(aligned_alloc(64, large))) sink = *(volatile int *)0;
  if (REQUEST((posix_memalign(&aligned, 64, large) == ENOMEM ? NULL : kept))) sink = *(volatile int *)0;
  /* What could not be made larger is still there. */
  sink = kept[opaque(BUGGY(8, 0))]; //~ ERROR heap-buffer-overflow
  free(kept);
}

static void too_large_for_any_machine(void) {
  if (REQUEST(malloc((size_t)opaque(-1))) || REQUEST(calloc((size_t)opaque(1l << 62), 8))) sink = *(volatile int *)0;
  char *block = REQUEST(malloc((size_t)1 << 61));
  BUGGY(, if (!block) return);
  block[0] = 1; //~ ERROR null-dereference
}

CASES(two_gigabytes, handled, another_null, every_way_to_ask, too_large_for_any_machine)
