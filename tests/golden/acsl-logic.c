// engines: check
// Logic functions, predicates, invariants, annotations in macros and headers, and terms that have no value.
#include "acsl-header.h"

/*@ predicate sorted(int *a, integer n) = \forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j];
    logic integer square(integer x) = x * x;
    logic integer factorial(integer n) = n <= 0 ? 1 : n * factorial(n - 1);
    logic integer count(int *a, integer n, int v) = n <= 0 ? 0 : count(a, n - 1, v) + (a[n - 1] == v ? 1 : 0);
    predicate even(integer n) = n == 0 || odd(n - 1);
    predicate odd(integer n) = n != 0 && even(n - 1);
    predicate swapped{L1, L2}(int *p, int *q) = \at(*p, L1) == \at(*q, L2) && \at(*q, L1) == \at(*p, L2);
    logic int *next(int *p) = p + 1;
    logic real half(real x) = x / 2;
    logic integer limit = 12;
    predicate reachable(struct link *from, struct link *to) =
      from == to || (from != \null && \valid_read(from) && reachable(from->next, to));
    predicate increasing(int a[][2], integer n) = \forall integer i; 0 <= i < n ==> a[i][0] < a[i][1];
    predicate also(int (*a)[2], integer n) = increasing(a, n);
    logic integer endless(integer n) = n == 0 ? 0 : 1 + endless(n + BUGGY(1, -1)); //~ ERROR acsl-violation
    lemma nothing: \forall integer i; \let j = i; j == i;
*/

//@ logic integer depth(struct link *l) = l == \null ? 0 : 1 + depth(l->next);

static void definitions(void) {
  int a[5] = {1, 2, 3, BUGGY(9, 4), 5};
  //@ assert sorted((int *)a, 5); //~ ERROR acsl-violation
  //@ assert square(square(3)) == BUGGY(80, 81); //~ ERROR acsl-violation
  //@ assert factorial(25) == BUGGY(7034535277573963776, 15511210043330985984000000); //~ ERROR acsl-violation
  //@ assert count(&a[0], 5, 5) == BUGGY(2, 1); //~ ERROR acsl-violation
  //@ assert even(BUGGY(11, 10)) && odd(7); //~ ERROR acsl-violation
  //@ assert *next(&a[0]) == BUGGY(1, 2) && half(3) == 1.5 && limit == 12; //~ ERROR acsl-violation
  int rows[2][2] = {{1, 2}, {3, BUGGY(3, 4)}};
  //@ assert also(rows, 2); //~ ERROR acsl-violation
  //@ assert BUGGY(endless(5) >= 0, endless(5) == 5);
  struct link third = {3, 0}, second = {2, &third}, first = {1, &second};
  //@ assert reachable(&second, BUGGY(&first, &third)); //~ ERROR acsl-violation
  //@ assert depth(&first) == BUGGY(2, 3); //~ ERROR acsl-violation
}

/*@ ensures swapped{Pre, Post}(p, q); //~ ERROR acsl-violation
 */
static void swap(int *p, int *q) {
  int kept = *p;
  *p = *q;
  *q = BUGGY(*p, kept);
}

// ------------------------------------------------------------------------------------- invariants

static int balance = 3;
struct range { int low, high; };
//@ global invariant solvent: balance >= 0; //~ ERROR acsl-violation
//@ type invariant ordered(struct range r) = r.low <= r.high; //~ ERROR acsl-violation

static void pay(int amount) { balance -= amount; }
static void stretch(struct range *r, int by) { r->low += by; }

// ------------------------------------------------------------------------------------------ macros

#define CHECKED(x) /*@ assert x > 0; */ (void)(x) //~ ERROR acsl-violation
#define MOST 4
#define WITHIN(x) ((x) <= MOST)
#define EACH(i, n) \forall integer i; i \in (0 .. n - 1) ==>

static void macros(int n) {
  CHECKED(BUGGY(n - 5, n));
  CHECKED(n);
  //@ assert WITHIN(BUGGY(n + MOST, n)); //~ ERROR acsl-violation
  //@ assert EACH(i, n) i < BUGGY(1, 2); //~ ERROR acsl-violation
  //@ assert n != NULL_VALUE;
  twice(n);
#if 0
  //@ assert nonsense nonsense;
#endif
}

// --------------------------------------------------------------------------------------- undefined

static void undefined(int zero, int *null, int *array) {
  int fresh[3];
  fresh[0] = 1;
  //@ assert zero == 0 || 1 / BUGGY(zero, (zero + 1)) == 1;
  //@ assert 10 / BUGGY(zero, 2) == 5; //~ ERROR acsl-violation
  //@ assert 10 % BUGGY(zero, 3) == 1; //~ ERROR acsl-violation
  //@ assert BUGGY(null == (int *)0 && , null != (int *)0 ==>) *null == 0; //~ ERROR acsl-violation
  //@ assert \forall integer i; 0 <= i < BUGGY(4, 3) ==> array[i] >= 0; //~ ERROR acsl-violation
  //@ assert fresh[BUGGY(1, 0)] == 1; //~ ERROR acsl-violation
  //@ assert (1 << BUGGY(zero - 1, 1)) == 2; //~ ERROR acsl-violation
}

/*@ ensures p != \null ==> *p == \old(*p);
    ensures BUGGY(\old(*p) == 0, \true); //~ ERROR acsl-violation
*/
static void lost(int *p) { (void)p; }

int main(void) {
  definitions();
  int x = 1, y = 2, array[3] = {0};
  swap(&x, &y);
  pay(BUGGY(5, 2));
  balance = 1;
  struct range r = {1, 5};
  stretch(&r, BUGGY(9, 1));
  r.low = 0;
  macros(2);
  undefined(0, 0, array);
  lost(0);
  return 0;
}
