// engines: check explore
// cases: 4
// Two accesses of one expression that nothing orders.
#include "cases.h"

static volatile long sink;

static void written_twice(void) {
  int i = 1;
#ifdef FIXED
  i = i + 1;
#else
  i = i++ + 1; //~ ERROR unsequenced-accesses
#endif
  sink = i;
}

static void index_and_step(void) {
  int numbers[4] = {0}, i = 0;
#ifdef FIXED
  numbers[i] = i;
  i++;
#else
  numbers[i] = i++; //~ ERROR unsequenced-accesses
#endif
  sink = numbers[0] + i;
}

static void two_arguments(void) {
  int i = 1;
#ifdef FIXED
  int first = i++, second = i;
  sink = abs(first) + second;
#else
  sink = abs(i++) + i; //~ ERROR unsequenced-accesses
#endif
}

/* A full expression, `&&`, `?:` and the comma order what stands on their sides. */
static void ordered(void) {
  int i = 1, a[2] = {0};
  if (i++ && i) sink = i;
  sink = i ? i++ : 0;
  i++, sink = i;
  sink = a[opaque(BUGGY(2, 1))]; //~ ERROR stack-buffer-overflow
}

CASES(written_twice, index_and_step, two_arguments, ordered)
