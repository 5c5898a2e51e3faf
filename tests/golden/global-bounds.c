// engines: check
// cases: 13
// Outside globals, string constants, and what the system gives to the program.
#include "cases.h"

static int numbers[4];
static char before[32], after[32];
static const char table[3] = {1, 2, 3};
int shared = 1;
static struct {
  char name[6];
  short code;
} record;

static volatile int sink;

static void just_after(void) {
  numbers[opaque(BUGGY(4, 3))] = 1; //~ ERROR global-buffer-overflow
}

static void just_before(void) {
  sink = numbers[opaque(BUGGY(-1, 0))]; //~ ERROR global-buffer-overflow
}

static void into_another_global(void) {
  char *p = before;
  p[BUGGY(distance(p, after), 0)] = 1; //~ ERROR global-buffer-overflow
}

static void constant_table(void) {
  sink = table[opaque(BUGGY(3, 2))]; //~ ERROR global-buffer-overflow
}

static void one_variable(void) {
  sink = *(&shared + opaque(BUGGY(1, 0))); //~ ERROR global-buffer-overflow
}

static void index_below_zero_without_a_sign(void) {
  unsigned letter = (unsigned)opaque(BUGGY(' ', 'c'));
  sink = before[letter - 'a']; //~ ERROR global-buffer-overflow
}

static void static_local(void) {
  static char buffer[10];
  buffer[opaque(BUGGY(10, 9))] = 1; //~ ERROR global-buffer-overflow
}

static void end_of_a_structure(void) {
  sink = ((char *)&record)[opaque(BUGGY(sizeof record, sizeof record - 1))]; //~ ERROR global-buffer-overflow
}

static void after_a_string_constant(void) {
  const char *text = "redzone";
  sink = text[opaque(BUGGY(8, 7))]; //~ ERROR global-buffer-overflow
}

static void before_a_string_constant(void) {
  const char *text = "redzone";
  sink = text[opaque(BUGGY(-1, 0))]; //~ ERROR global-buffer-overflow
}

static void after_the_arguments(void) {
  sink = program_arguments[opaque(BUGGY(7, 0))] != NULL; //~ ERROR heap-buffer-overflow
}

static void after_an_argument(void) {
  const char *name = program_arguments[0];
  sink = name[strlen(name) + BUGGY(1, 0)]; //~ ERROR heap-buffer-overflow
}

static void into_the_next_member(void) {
  sink = record.name[opaque(BUGGY(6, 5))]; //~ ERROR global-buffer-overflow
}

CASES(just_after, just_before, into_another_global, constant_table, one_variable, index_below_zero_without_a_sign, static_local, end_of_a_structure,
      after_a_string_constant, before_a_string_constant, after_the_arguments, after_an_argument,
      into_the_next_member)
