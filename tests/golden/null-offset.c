// engines: check explore
// adds: null-offset
// cases: 6
// Arithmetic on null pointers.
#include "cases.h"

static volatile long sink;

struct header {
  char kind;
  uint32_t length[4];
};

static void null_plus_a_length(void) {
  char *block = opaque(0) ? malloc(16) : NULL;
  char *end = block + opaque(BUGGY(16, 0)); //~ ERROR null-offset
  sink = end == block;
}

static int is_empty(const uint32_t *length) { return length == NULL; }

static void member_of_null(void) {
  struct header one = {'a', {1}};
  struct header *at = opaque(BUGGY(0, 1)) ? &one : NULL;
  sink = is_empty(&at->length[opaque(2)]); //~ ERROR null-offset
}

static void first_member_of_null(void) {
  struct header *at = opaque(0) ? malloc(sizeof *at) : NULL;
  sink = (void *)(at + opaque(0)) == NULL;
  sink = (void *)(at + BUGGY(1, 0)) == NULL; //~ ERROR null-offset
}

static void null_minus_one(void) {
  int *table = opaque(0) ? malloc(4) : NULL;
  int *before = BUGGY(table - opaque(1), NULL); //~ ERROR null-offset
  sink = before == NULL;
}

/* As zlib-like interfaces do it, which ask for the length first. */
static long write_or_measure(char *to, long n) {
  char *at = BUGGY(to + 3, to ? to + 3 : NULL); //~ ERROR null-offset
  if (to) *at = 'x';
  return n;
}

static void absent_buffer(void) {
  char buffer[8];
  sink = write_or_measure(buffer, 8);
  sink = write_or_measure(NULL, 8);
}

static void moves_in_a_loop(void) {
  const char *list = opaque(0) ? "text" : NULL;
  int count = 0;
  for (const char *at = list; count < BUGGY(3, 0); at++) count += at != list || count == 0; //~ ERROR null-offset
  sink = count;
}

/* gcc's sanitizer reports it; as offsetof it is in many programs. */
static void written_as_offsetof(void) {
#ifndef __SANITIZE_ADDRESS__
  sink = (long)&((struct header *)0)->length;
#endif
}

CASES(null_plus_a_length, member_of_null, first_member_of_null, null_minus_one, absent_buffer, moves_in_a_loop,
      written_as_offsetof)
