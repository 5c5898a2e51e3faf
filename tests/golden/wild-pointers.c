// engines: check explore
// cases: 17
// Numbers that are not pointers: small negative ones, as Linux returns errors, those just below 4 GiB, and pointers that an
// offset has carried to another upper half.
#include "cases.h"

static volatile long sink;
static volatile double float_sink;
static const int fixed[2] = {1, 2};
static int global[16] = {1};

static void *number(long value) { return (void *)opaque(value); }

static void error_for_a_structure(void) {
  struct device {
    int id;
    char name[12];
  } one = {1, "one"}, *device = BUGGY(number(-12), &one);
  sink = device->id; //~ ERROR wild-pointer
}

static void byte(void) {
  char own = 1;
  sink = *(char *)BUGGY(number(-4096), &own); //~ ERROR wild-pointer
}

static void two_bytes(void) {
  short own = 1;
  sink = *(short *)BUGGY(number(-4096), &own); //~ ERROR wild-pointer
}

static void four_bytes_misaligned(void) {
  int own = 1;
  sink = *(int *)BUGGY(number(-1), &own); //~ ERROR wild-pointer
}

static void eight_bytes(void) {
  long own = 1;
  sink = *(long *)BUGGY(number(-0x80000000l), &own); //~ ERROR wild-pointer
}

static void double_misaligned(void) {
  double own = 1;
  float_sink = *(double *)BUGGY(number(-4), &own); //~ ERROR wild-pointer
}

static void structure(void) {
  struct four {
    int a[4];
  } own = {{0}}, copy = *(struct four *)BUGGY(number(-64), &own); //~ ERROR wild-pointer
  sink = copy.a[2];
}

static void in_a_loop(void) {
  int own[4] = {1}, *p = BUGGY(number(-4096), own);
  long sum = 0;
  for (int i = 0; i < 4; i++) sum += p[i]; //~ ERROR wild-pointer
  sink = sum;
}

static void below_four_gigabytes(void) {
  int own = 1;
  sink = *(int *)BUGGY(number(0xfffffffcl), &own); //~ ERROR wild-pointer
}

static void above_the_program(void) {
  int own = 1;
  sink = *(int *)BUGGY(number(0x50000000l), &own); //~ ERROR wild-pointer
}

static void written(void) {
  int own = 1;
  *(int *)BUGGY(number(-4096), &own) = 1; //~ ERROR wild-pointer
}

static void written_misaligned(void) {
  long own = 1;
  *(long *)BUGGY(number(-3), &own) = 1; //~ ERROR wild-pointer
}

static void in_the_library(void) {
  char own[8] = "text";
  sink = (long)strlen(BUGGY(number(-12), own)); //~ ERROR wild-pointer
}

static void copied(void) {
  char own[8] = "text", copy[8];
  memcpy(copy, BUGGY(number(-4096), own), (size_t)opaque(8)); //~ ERROR wild-pointer
  sink = copy[0];
}

static void half_of_all_numbers_away(void) {
  sink = global[opaque(BUGGY(1l << 61, 3))]; //~ ERROR global-buffer-overflow
}

static void quarter_of_all_numbers_away(void) {
  global[opaque(BUGGY(1l << 60, 3))] = fixed[1]; //~ ERROR global-buffer-overflow
}

/* Numbers near that of an object: by the text that overwrote a pointer, and by an offset. */
static void overwritten_nearby(void) {
  char *pointers[2] = {(char *)global, (char *)global};
  const unsigned long nearby = (unsigned long)global + (unsigned long)opaque(BUGGY(3l << 32, 4));
  memcpy(&pointers[1], &nearby, sizeof nearby);
  sink = pointers[opaque(1)][0]; //~ ERROR wild-pointer
}

CASES(error_for_a_structure, byte, two_bytes, four_bytes_misaligned, eight_bytes, double_misaligned, structure, in_a_loop,
      below_four_gigabytes, above_the_program, written, written_misaligned, in_the_library, copied, half_of_all_numbers_away,
      quarter_of_all_numbers_away, overwritten_nearby)
