// engines: check
// cases: 14
// Values that were never written, used where it matters: to branch, as an address, as an argument, as output.
#include <unistd.h>

#include "cases.h"

static volatile int sink;
static int table[4];

static void branch_on_a_local(void) {
  int x;
  BUGGY(, x = 1);
  if (x) sink = 1; //~ ERROR uninitialized-read
}

static void assigned_on_one_path_only(void) {
  int x;
  if (opaque(BUGGY(0, 1))) x = 3;
  if (x > 2) sink = 2; //~ ERROR uninitialized-read
}

static void branch_on_the_heap(void) {
  int *p = BUGGY(malloc(4 * sizeof *p), calloc(4, sizeof *p));
  if (p[2] == 7) sink = 3; //~ ERROR uninitialized-read
  free(p);
}

static void element_that_was_forgotten(void) {
  int a[5];
  for (int i = 0; i < BUGGY(4, 5); i++) a[i] = i;
  int largest = a[0];
  for (int i = 1; i < 5; i++)
    if (a[i] > largest) largest = a[i]; //~ ERROR uninitialized-read
  sink = largest;
}

static void index_of_an_array(void) {
  int i;
  BUGGY(, i = 1);
  sink = table[i & 3]; //~ ERROR uninitialized-read
}

static void length_of_a_string(void) {
  char *text = malloc(8);
  BUGGY(, text[0] = 'x');
  memcpy(text + 1, "abcdef", 7);
  sink = (int)strlen(text); //~ ERROR uninitialized-read
  free(text);
}

__attribute__((noinline)) static int twice(int x) { return x * 2; }

static void argument(void) {
  int x;
  BUGGY(, x = 1);
  sink = twice(x); //~ ERROR uninitialized-read
}

__attribute__((noinline)) static int forgets_its_result(int n) {
  int result;
  if (n > BUGGY(5, 3)) result = n;
  return result; //~ ERROR uninitialized-read
}

static void result(void) { sink = forgets_its_result(4); }

static void choice(void) {
  char c;
  BUGGY(, c = 'b');
  switch (c) { //~ ERROR uninitialized-read
    case 'a': sink = 1; break;
    case 'b': sink = 2; break;
  }
}

static void printed(void) {
  char text[8];
  text[0] = 'a', text[BUGGY(2, 1)] = 0;
  puts(text); //~ ERROR uninitialized-read
}

static void written(void) {
  struct {
    char tag;
    int value;
  } record;
  BUGGY(, memset(&record, 0, sizeof record));
  record.tag = 'x', record.value = 0x0a414243;
  opaque(write(1, &record, sizeof record)); //~ ERROR uninitialized-read
}

static void end_of_a_grown_block(void) {
  int *p = calloc(2, sizeof *p);
  p = realloc(p, 4 * sizeof *p);
  if (p[BUGGY(2, 1)]) sink = 5; //~ ERROR uninitialized-read
  free(p);
}

static void copied_and_then_used(void) {
  int from[4], to[4];
  from[0] = 1;
  BUGGY(, from[3] = 1);
  memcpy(to, from, sizeof to);
  if (to[3]) sink = 6; //~ ERROR uninitialized-read
}

struct flags {
  unsigned a : 3, b : 5, c : 12;
};

static void bits_of_a_field(void) {
  struct flags flags;
  flags.a = 1;
  BUGGY(, flags.c = 1);
  if (flags.c) sink = 7; //~ ERROR uninitialized-read
}

CASES(branch_on_a_local, assigned_on_one_path_only, branch_on_the_heap, element_that_was_forgotten, index_of_an_array, length_of_a_string,
      argument, result, choice, printed, written, end_of_a_grown_block, copied_and_then_used, bits_of_a_field)
