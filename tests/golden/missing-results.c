// engines: check explore
// cases: 6
// Functions that end without a value: an error only where the value is used (C11 6.9.1p12).
#include "cases.h"

static volatile long sink;

static int logs(int n) {
  if (n > 5) return 1;
  sink = n;
} //~ ERROR uninitialized-read

static void direct(void) {
  logs(3);
  (void)logs(4);
  if (logs(6) != 1) sink = *(volatile int *)0;
  BUGGY(if (logs(2)) sink = 1, logs(2));
}

static double never_any(double x) { sink = (long)x; } //~ ERROR uninitialized-read

static void number(void) {
  never_any(1);
  BUGGY(sink += never_any(2) > 1, never_any(2));
}

static char *leaves_scopes(int n) {
  for (int i = 0; i < n; i++) {
    int *at = &i;
    if (*at == 7) return "seven";
    if (*at == 8) break;
  }
} //~ ERROR uninitialized-read

static void scopes(void) {
  leaves_scopes(3);
  if (leaves_scopes(9)[0] != 's') sink = *(volatile int *)0;
  BUGGY(if (leaves_scopes(2)) sink = 1, leaves_scopes(2));
}

static int handles(int n) { sink = n; }
static int returns(int n) { return n + 1; }
static int (*const handlers[])(int) = {handles, returns};

static void through_pointers(void) {
  for (int i = 0; i < 2; i++) handlers[opaque(i)](3);
  int x = 5, *p = &x;
  sink = p[opaque(BUGGY(1, 0))]; //~ ERROR stack-buffer-overflow
}

static long answers(long n) {
  if (n) return n;
} //~ ERROR uninitialized-read

static void used_through_a_pointer(void) {
  long (*ask)(long) = opaque(1) ? answers : labs;
  if (ask(BUGGY(0, 2)) == 2) sink = 1;
}

static int calls_itself(int n) {
  if (n == 0) return 0;
  calls_itself(n - 1);
} //~ ERROR uninitialized-read

static void recursive(void) {
  calls_itself(3);
  BUGGY(if (calls_itself(1)) sink = 1, calls_itself(1));
}

CASES(direct, number, scopes, through_pointers, used_through_a_pointer, recursive)
