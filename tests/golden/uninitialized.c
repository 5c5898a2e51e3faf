// engines: check
// cases: 27
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

__attribute__((noinline)) static int one_of_several_results(long n) {
  int list[2];
  list[0] = 1;
  BUGGY(, list[1] = 2);
  if (n == 4) {
    int scope[2] = {1, 2};
    return list[1] + scope[opaque(0)]; //~ ERROR uninitialized-read
  }
  return n > 5;
}

static void one_of_several(void) { sink = one_of_several_results(opaque(4)); }

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

static void other_bits_of_the_same_byte(void) {
  struct flags *flags = malloc(sizeof *flags);
  flags->a = 1;
  BUGGY(, flags->b = 2);
  if (flags->a == 1) sink = 8;
  if (flags->b == 2) sink = 9; //~ ERROR uninitialized-read
  free(flags);
}

static void other_bits_of_a_copy(void) {
  struct flags flags, copy, *list = malloc(2 * sizeof *list);
  flags.b = 1;
  BUGGY(, flags.a = 2);
  copy = flags;
  memcpy(list, &copy, sizeof *list);
  list = realloc(list, 100 * sizeof *list);
  list[99] = list[0];
  sink = twice(list[99].b);
  sink = twice(list[99].a); //~ ERROR uninitialized-read
  free(list);
}

static void bits_of_a_byte(void) {
  union {
    struct {
      unsigned char low : 4, high : 4;
    } half;
    unsigned char whole;
  } byte;
  byte.half.low = 1;
  BUGGY(, byte.half.high = 1);
  if (byte.whole == 0x11) sink = 10; //~ ERROR uninitialized-read
}

struct triple {
  int a, b, c;
};

static void read_before_and_not_used(void) {
  int *p = BUGGY(malloc(4), calloc(1, 4));
  int before = p[0];
  if (p[0]) sink = 11; //~ ERROR uninitialized-read
  if (opaque(0)) sink = before;
  free(p);
}

__attribute__((noinline)) static int third_of(struct triple three) {
  return three.c > 2; //~ ERROR uninitialized-read
}

static void member_of_an_argument(void) {
  struct triple three;
  three.a = three.b = 1;
  BUGGY(, three.c = 3);
  sink = third_of(three);
}

static void number_that_became_a_float(void) {
  int *p = BUGGY(malloc(2 * sizeof *p), calloc(2, sizeof *p));
  double sum = p[1];
  for (int i = 0; i < 3; i++) sum = sum * 2 + i;
  double copy[2] = {sum, 1};
  if (copy[opaque(0)] > 2) sink = 12; //~ ERROR uninitialized-read
  free(p);
}

static void float_that_became_a_number(void) {
  float *p = BUGGY(malloc(2 * sizeof *p), calloc(2, sizeof *p));
  int copy[2] = {(int)(p[1] / 2), 1};
  if (copy[opaque(0)] > 1) sink = 13; //~ ERROR uninitialized-read
  free(p);
}

/* Structs that are passed and returned as their only member. */
struct alone {
  int x;
};

struct real {
  double d;
};

__attribute__((noinline)) static int use_alone(struct alone one) {
  return one.x > 3; //~ ERROR uninitialized-read
}

__attribute__((noinline)) static int use_copy(struct alone one) {
  return one.x > 4; //~ ERROR uninitialized-read
}

__attribute__((noinline)) static struct alone same(struct alone one) {
  struct alone copy = one;
  return copy;
}

__attribute__((noinline)) static struct alone made(int x) {
  struct alone one;
  if (x) one.x = x;
  return one;
}

static void only_member_of_an_argument(void) {
  struct alone one, other = {2};
  BUGGY(, one.x = 4);
  same(one);
  sink = use_alone(other);
  sink = use_alone(one);
}

static void only_member_of_a_copy(void) {
  struct alone one;
  BUGGY(, one.x = 4);
  sink = use_copy(same(same(one)));
}

static void only_member_of_a_result(void) {
  struct alone (*make)(int) = opaque(1) ? made : NULL;
  struct alone unused = make(0), one = make(BUGGY(0, 3));
  (void)unused;
  int twice = one.x * 2;
  if (opaque(0)) sink = 1;
  if (twice) sink = 14; //~ ERROR uninitialized-read
}

__attribute__((noinline)) static int rounded(int before, struct real one) {
  return before + (int)one.d; //~ ERROR uninitialized-read
}

static void only_member_is_a_float(void) {
  struct real one;
  BUGGY(, one.d = 1);
  sink = rounded(1, one);
}

static void element_of_a_vector(void) {
  int v __attribute__((vector_size(16)));
  v[0] = 1;
  v[BUGGY(1, 2)] = 2;
  if (v[2]) sink = 15; //~ ERROR uninitialized-read
}

CASES(branch_on_a_local, assigned_on_one_path_only, branch_on_the_heap, element_that_was_forgotten, index_of_an_array, length_of_a_string,
      argument, result, one_of_several, choice, printed, written, end_of_a_grown_block, copied_and_then_used, bits_of_a_field,
      other_bits_of_the_same_byte, other_bits_of_a_copy, bits_of_a_byte, read_before_and_not_used,
      member_of_an_argument, number_that_became_a_float, float_that_became_a_number,
      only_member_of_an_argument, only_member_of_a_copy, only_member_of_a_result, only_member_is_a_float, element_of_a_vector)
