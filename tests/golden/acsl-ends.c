// engines: check
// Integers of annotations have no ends, bodies may be empty, labels of C name states, structs are arguments.
#include <limits.h>
#include <stdio.h>
#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

/*@ requires n > 0; */ //~ ERROR acsl-violation
void empty(long n) {}
/*@ requires n > 0; assigns \nothing; ensures n == \old(n); */
static inline void both(long n) {}
/*@ ensures \result == n + BUGGY(1, 2); */ //~ ERROR acsl-violation
static inline long line(long n) { return n + 2; }
/*@ requires first < last; ensures \result >= BUGGY(1000, 3); */ //~ ERROR acsl-violation
int old_style(first, last) int first; short last; { return last - first; }
/*@ ensures \true; */
void old_and_empty(n) int n; {}
/*@ requires BUGGY(\false, \true); */ int none(void) { return 0; } //~ ERROR acsl-violation

static void bodies(void) {
  empty(BUGGY(0, 5));
  both(1);
  line(1);
  old_style(1, 4);
  old_and_empty(1);
  none();
}

static void ranges(unsigned long most, long least, long highest, int low, int high, unsigned top) {
  //@ assert \forall integer k; most - 3 <= k <= most ==> k BUGGY(<=, >) LLONG_MAX; //~ ERROR acsl-violation
  //@ assert \exists integer k; most - 3 <= k <= most && k == most - BUGGY(4, 3); //~ ERROR acsl-violation
  //@ assert \forall integer k; least <= k <= least + 3 ==> k BUGGY(>, <) -9223372036854775800; //~ ERROR acsl-violation
  //@ assert \forall integer k; least < k < least + 3 ==> k - least BUGGY(>, >=) 1; //~ ERROR acsl-violation
  //@ assert \exists integer k; highest - 2 < k <= highest && k == BUGGY(highest + 1, highest); //~ ERROR acsl-violation
  //@ assert \numof(highest - 9, highest, \lambda integer k; k % 2 == 1) == BUGGY(4, 5); //~ ERROR acsl-violation
  //@ assert \forall integer k; highest <= k <= highest + 3 ==> k BUGGY(<=, >=) highest; //~ ERROR acsl-violation
  //@ assert \forall long k; highest - 1 <= k ==> k <= most ==> k BUGGY(<, <=) highest; //~ ERROR acsl-violation
  //@ assert \forall unsigned long k; most - 1 <= k <= most + 5 ==> k <= most - BUGGY(1, 0); //~ ERROR acsl-violation
  //@ assert \forall unsigned long k; least <= k < 3 ==> k >= BUGGY(1, 0); //~ ERROR acsl-violation
  //@ assert \forall int k; least <= k <= low + 2 ==> k - low <= BUGGY(1, 2); //~ ERROR acsl-violation
  //@ assert \exists int k; high - 1 <= k <= most && k == high - BUGGY(2, 1); //~ ERROR acsl-violation
  //@ assert \forall unsigned k; top - 1 <= k <= most ==> k >= top - BUGGY(0, 1); //~ ERROR acsl-violation
  //@ assert \forall integer k; most * most - 1 <= k <= most * most ==> k BUGGY(<, >=) most * most - 1; //~ ERROR acsl-violation
  //@ assert \exists integer k; most * most * most <= k < most * most * most + 3 && k % 2 == BUGGY(2, 0); //~ ERROR acsl-violation
  //@ assert \sum(most - 5, most, \lambda integer k; 1) == BUGGY(5, 6); //~ ERROR acsl-violation
  //@ assert \sum(most - 1, most, \lambda integer k; k) == 2 * most - BUGGY(0, 1); //~ ERROR acsl-violation
  //@ assert \product(highest, highest + 1, \lambda integer k; k) == highest * highest + BUGGY(0, highest); //~ ERROR acsl-violation
  //@ assert \max(least, least + 2, \lambda integer k; k) == least + BUGGY(1, 2); //~ ERROR acsl-violation
  //@ assert \forall integer k; most <= k <= least ==> \false;
  //@ assert !(\exists integer k; highest < k < least);
}

static void states(int stop) {
  int x = 1;
  x = 2;
here:
  /*@ assert x == 2; */
  /*@ assert \at(x, here) == BUGGY(1, 2); */ //~ ERROR acsl-violation
  x = 3;
  if (stop)
  inner: again:
    x = 4;
  else
    x = 5;
  //@ assert \at(x, inner) == BUGGY(4, 3) && \at(x, again) == 3 && x == 4; //~ ERROR acsl-violation
  goto last;
last:;
  x++;
  //@ assert \at(x, last) == x - BUGGY(2, 1); //~ ERROR acsl-violation
}

struct pair { int k, l; };
typedef struct pair pair;
typedef struct { short k; } single;
typedef union { int k; char bytes[4]; } either;
/*@ logic integer total(pair m) = m.k + m.l; */
/*@ logic integer alone(single m) = m.k;
  @ logic integer first(either m) = m.bytes[0]; */
/*@ logic struct pair turned(struct pair m) = m;
  @ predicate ordered(struct pair m) = m.k <= m.l; */

static void structs(pair m, struct pair n, single s, either e) {
  //@ assert total(m) == BUGGY(4, 3) && total(n) == 7; //~ ERROR acsl-violation
  //@ assert alone(s) == BUGGY(4, 5) && first(e) == 1; //~ ERROR acsl-violation
  //@ assert ordered(m) && BUGGY(!, ) ordered(turned(n)); //~ ERROR acsl-violation
  //@ assert m BUGGY(==, !=) n && turned(m) == m; //~ ERROR acsl-violation
}

static void library(FILE *closed) {
  //@ assert \valid(stdout) && \valid(stdin) && \valid_read(stderr) && BUGGY(!, ) \initialized(stdout); //~ ERROR acsl-violation
  //@ assert \valid({stdout, stderr}) && \valid(closed) == BUGGY(\true, \false); //~ ERROR acsl-violation
}

static void sizes(const int *t, char c, float f) {
  //@ assert t[2 * sizeof(int) / sizeof((int)0x0)] == BUGGY(3, 4); //~ ERROR acsl-violation
  //@ assert sizeof((char)1) == BUGGY(4, 1) && sizeof((long *)0) == 8 && sizeof(c + 1) == 4 && sizeof(1 + 5000000000) == 8; //~ ERROR acsl-violation
  //@ assert sizeof(f) == BUGGY(8, 4) && sizeof(sizeof(c)) == 8 && sizeof(c ? c : 1) == 4 && sizeof(-c) == 4; //~ ERROR acsl-violation
}

int main(void) {
  bodies();
  ranges(ULONG_MAX, LONG_MIN, LONG_MAX, INT_MIN, INT_MAX, UINT_MAX);
  states(1);
  structs((pair){1, 2}, (struct pair){3, 4}, (single){5}, (either){1});
  FILE *file = tmpfile();
  fclose(file);
  library(file);
  int t[3] = {2, 3, 4};
  sizes(t, 1, 2);
  return 0;
}
