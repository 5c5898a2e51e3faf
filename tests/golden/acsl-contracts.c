// engines: check
// Contracts of functions and statements, on declarations and definitions, and what they say about earlier states.
#include <stdlib.h>
#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

/*@ requires n > 0; //~ ERROR acsl-violation
    //~^ NOTE n = 0
    ensures \result >= 1; */
static int positive(int n) { return n > 0 ? n : 1; }

/*@ ensures \result == x + 1; //~ ERROR acsl-violation
    //~^ NOTE the function returns here
    ensures \result > \old(x); */
static int successor(int x) {
  x++;
  if (x > 10) return x;
  return BUGGY(x + 1, x);
}

/*@ ensures *p == \old(*p) + 1; //~ ERROR acsl-violation
    ensures \at(*p, Pre) == \old(*p); */
static void increment(int *p) { *p += BUGGY(2, 1); }

/*@ requires \valid(a + (0 .. n - 1));
    ensures \forall integer i; 0 <= i < n ==> a[i] == \old(a[n - 1 - i]); //~ ERROR acsl-violation
    ensures \forall integer i, j; 0 <= i < 2 && 0 <= j < 2 ==> \old(a[i] + a[j]) == a[n - 1 - i] + a[n - 1 - j]; */
static void reverse(int *a, int n) {
  for (int i = 0; i < n / 2; i++) {
    int other = a[n - 1 - i];
    a[n - 1 - i] = a[i];
    a[i] = other;
  }
  BUGGY(a[n / 2]++, );
}

/*@ behavior negative:
      assumes x < 0;
      ensures \result == -x;
    behavior zero:
      assumes x == BUGGY(1, 0);
      requires strict: x != 1; //~ ERROR acsl-violation
      ensures \result == 0; //~ ERROR acsl-violation
    behavior positive:
      assumes x > 0;
      ensures \result == x;
    complete behaviors; //~ ERROR acsl-violation
    disjoint behaviors negative, zero, positive; //~ ERROR acsl-violation
*/
static int absolute(int x) { return x < 0 ? -x : x; }

/*@ behavior first:
      assumes pick == 0;
      ensures \result == \old(*a); //~ ERROR acsl-violation
    behavior second:
      assumes pick != 0;
      ensures \result == \old(*b); */
static int choose(int pick, const int *a, const int *b) { return BUGGY(*b, pick == 0 ? *a : *b); }

// The declaration and the definition have a contract each, with other names for the parameter.
/*@ requires from >= 0; //~ ERROR acsl-violation
 */
static int merged(int from);
/*@ ensures \result == n * 2; //~ ERROR acsl-violation
 */
static int merged(int n) { return BUGGY(n + 1, n * 2); }

// A function of another file.
/*@ requires value >= 0; //~ ERROR acsl-violation
    ensures \result == value; //~ ERROR acsl-violation
*/
extern int abs(int value);

struct pair { int low, high; };
/*@ ensures \result.low <= \result.high; //~ ERROR acsl-violation
    ensures \result.low + \result.high == \old(p->low) + \old(p->high); */
static struct pair ordered(const struct pair *p) {
  struct pair result = {p->high, p->low};
  if (BUGGY(0, result.low > result.high)) return *p;
  return result;
}

/*@ ensures \fresh(\result, n); //~ ERROR acsl-violation
 */
static char *make(unsigned n) { return BUGGY(malloc(n + 1), malloc(n)); }

static int counter;
/*@ requires n >= 0;
    decreases n; //~ ERROR acsl-violation
    terminates n < 100; */
static int countdown(int n) { return n == 0 ? counter : counter++ > 3 ? 0 : countdown(BUGGY(n, n - 1)); }

/*@ terminates n < 5; */
static void bounded(int n) {
  int k = 0;
  //@ loop variant n - k; //~ ERROR acsl-violation
  while (k < n) n = n > 3 ? n - 1 : 3, k += k == BUGGY(0, 4) ? counter++ > 5 : 1;
}

/*@ exits \exit_status == 0 && counter > 0; //~ ERROR acsl-violation
    //~^ NOTE \exit_status = 1
    behavior never: assumes status < 0; exits \false; */
static void ends(int status) {
  if (status >= 0) exit(status);
}

static void statements(int n) {
  int x = n;
  /*@ requires x == n;
      ensures x == \old(x) + 1; //~ ERROR acsl-violation
  */
  x += BUGGY(2, 1);
  /*@ behavior big: assumes n > 100; ensures x == 0;
      behavior small: assumes n <= 100; ensures x > \old(x); //~ ERROR acsl-violation
  */
  { x = BUGGY(0, x + 1); }
  if (n > 0) /*@ ensures x == n; */ x = n;
  else x = 0;
  if (x)
    /*@ assert x == BUGGY(0, n); */ x = 1; //~ ERROR acsl-violation
  switch (n) {
    case 5: /*@ assert x == BUGGY(2, 1); */ //~ ERROR acsl-violation
      break;
  }
}

static int abrupt(int n) {
  int x = 0;
  while (x < 10) {
    /*@ breaks x == 5; //~ ERROR acsl-violation
        continues x < 3; //~ ERROR acsl-violation
        returns \result == \old(x) + 1; //~ ERROR acsl-violation
        //~^ NOTE the statement is left here
        ensures x > 2; */
    {
      x++;
      if (x == BUGGY(4, 0)) continue;
      if (x < 3) continue;
      for (int i = 0; i < 2; i++)
        if (x == 3) break;
      if (n == 1 && x == BUGGY(6, 5)) break;
      if (n == 2 && x == 5) return BUGGY(0, x);
    }
  }
  return x;
}

// The same behavior on the declaration and on the definition.
/*@ behavior same: assumes x > 0; requires \old(x) < 100; ensures \result == x + BUGGY(1, 0); //~ ERROR acsl-violation
 */
static int twofold(int x);
/*@ behavior same: assumes x < 0; ensures \result == BUGGY(0, x); //~ ERROR acsl-violation
 */
static int twofold(int x) { return x; }

static void labels(int n) {
  int x = n;
start:
  x++;
  //@ assert x == \at(x, start) + BUGGY(2, 1); //~ ERROR acsl-violation
  //@ assert \at(n, Pre) == n && \at(x, Here) == x;
  if (x < n + 2) goto start;
  //@ assert \at(x, start) == BUGGY(n, n + 1); //~ ERROR acsl-violation
}

static int ghosts(int n) {
  //@ ghost int turns = 0;
  /*@ ghost int doubled = n;
    @ doubled *= 2;
    @*/
  int i;
  for (i = 0; i < n; i++) {
    //@ ghost turns++;
  }
  //@ assert turns == BUGGY(n + 1, n); //~ ERROR acsl-violation
  //@ assert doubled == n + n;
  return i;
}

int main(void) {
  positive(BUGGY(0, 1));
  successor(3), successor(10);
  int x = 1, y = 2, a[5] = {1, 2, 3, 4, 5};
  increment(&x);
  reverse(a, 5);
  absolute(-1), BUGGY(absolute(0), 0), absolute(1);
  choose(0, &x, &y);
  merged(BUGGY(-1, 1));
  (void)abs(BUGGY(-4, 4));
  struct pair p = {1, 2};
  ordered(&p);
  free(make(3));
  countdown(3);
  statements(5);
  abrupt(0), abrupt(1), abrupt(2);
  twofold(1), twofold(-1);
  labels(1);
  ghosts(3);
  bounded(3), bounded(9);
  ends(-1), ends(BUGGY(1, 0));
}
