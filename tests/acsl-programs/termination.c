// Measures are checked in functions that must terminate; `exits` is checked when the program ends, for every call that is active.
#include <setjmp.h>
#include <stdlib.h>
#include "buggy.h"

static int global, once;
static jmp_buf out;

/*@ terminates n >= 0;
    decreases n; */ //~ ERROR acsl-violation
static int down(int n) {
  if (n == 0 || n == -1) return 0;
  return down(n < 0 ? -1 : n - BUGGY((once++ > 0), 1));
}

/*@ terminates measured;
    exits \false; */
static int loops(int n, int measured) {
  int k = 0;
  /*@ loop variant n - k; */ //~ ERROR acsl-violation
  while (k < n) {
    if (measured) k += BUGGY((once++ != 6), 1);
    else k += 5, n += n < 40 ? 6 : 0;
  }
  return k;
}

/*@ exits \exit_status == 3 && global == 7; */ //~ ERROR acsl-violation
static void stops(int status) {
  global = 7;
  exit(status);
}

/*@ behavior returns_soon: assumes x; exits \false;
    behavior ends: assumes !x; exits \exit_status > 0; */
static void calls(int x) {
  if (!x) stops(BUGGY(4, 3));
}

// What longjmp has left is not asked any more.
/*@ exits \false; */
static void jumps(void) { longjmp(out, 1); }

int main(void) {
  if (setjmp(out) == 0) jumps();
  down(3), down(-5);
  loops(5, 1), loops(3, 0);
  calls(1);
  //@ exits \exit_status == BUGGY(2, 3); //~ ERROR acsl-violation
  calls(0);
  return 0;
}
