/* The beginning of every attack. */
#include <stdint.h>
#include <stdlib.h>

/* Calls go through volatile pointers, so that the compiler cannot reason about the blocks. */
static void *(*volatile allocate)(size_t) = malloc;
static void (*volatile release)(void *) = free;
typedef volatile uint64_t Word;

enum { GOAL_REACHED = 42 };

/*
 * Uses up what the start of the program left free, so that the next blocks of about this size lie
 * side by side.
 */
static void settle(size_t bytes) {
  for (int i = 0; i < 256; i++) allocate(bytes);
}
