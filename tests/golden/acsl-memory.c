// engines: check
// Memory predicates, in space and in time; assigns, checked as the program writes.
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

static int table[10];
static const int constants[3] = {1, 2, 3};
static int (*operation)(int);
static int negate(int x) { return -x; }
static int sum(int x, int y) { return x + y; }
static int (*pair)(int, int) = sum;
struct node { int value; struct node *next; };

static void spaces(void) {
  int *p = malloc(5 * sizeof *p), local[4] = {0}, *null = NULL;
  if (p == NULL) exit(1);
  //@ assert \valid(p) && \valid(p + 4) && \valid(p + (0 .. BUGGY(5, 4))); //~ ERROR acsl-violation
  //@ assert \valid(&local[BUGGY(4, 3)]) && \valid(local + (0 .. 3)) && !\valid(null); //~ ERROR acsl-violation
  //@ assert !\valid(p - BUGGY(-1, 1)) && \valid(p + (3 .. 2)); //~ ERROR acsl-violation
  //@ assert \valid_read(constants + (0 .. 2)) && BUGGY(, !) \valid((int *)constants); //~ ERROR acsl-violation
  //@ assert \valid_read("text" + (0 .. BUGGY(5, 4))); //~ ERROR acsl-violation
  //@ assert \valid({p, local + 1, p + BUGGY(5, 2)}); //~ ERROR acsl-violation
  //@ assert \valid(&table[0 .. BUGGY(10, 9)]) && \valid(table + (..)); //~ ERROR acsl-violation
  //@ assert BUGGY(, !) \initialized(p) && \initialized(local + (0 .. 3)); //~ ERROR acsl-violation
  p[0] = 1, p[1] = 2;
  //@ assert \initialized(p + (0 .. BUGGY(2, 1))); //~ ERROR acsl-violation
  //@ assert \separated(p + (0 .. 1), p + (BUGGY(1, 2) .. 3)) && \separated(p, local, table + (0 .. 9)); //~ ERROR acsl-violation
  //@ assert \base_addr(p + 3) == (char *)BUGGY(p + 3, p) && \base_addr(&local[2]) == (char *)local; //~ ERROR acsl-violation
  //@ assert \block_length(p + 1) == BUGGY(16, 20) && \block_length(table) == 40; //~ ERROR acsl-violation
  //@ assert \offset(p + 3) == BUGGY(3, 12) && \offset(&table[2]) == 8 && \offset(local) == 0; //~ ERROR acsl-violation
  //@ assert \freeable(BUGGY(p + 1, p)) && !\freeable(local) && !\freeable(table); //~ ERROR acsl-violation
  //@ assert \allocable(\null) && BUGGY(, !) \allocable(p); //~ ERROR acsl-violation
  operation = BUGGY((int (*)(int))sum, negate);
  //@ assert \valid_function(operation); //~ ERROR acsl-violation
  operation = BUGGY(NULL, negate);
  //@ assert \valid_function(operation) && \valid_function(&negate); //~ ERROR acsl-violation
  free(p);
}

static void times(void) {
  int *p = malloc(sizeof *p), *q, *scoped;
  if (p == NULL) exit(1);
  q = p;
  BUGGY(free(p), );
  //@ assert \valid(q) && !\dangling(&q); //~ ERROR acsl-violation
  BUGGY(p = malloc(sizeof *p), );
  //@ assert \valid(p) && \valid(q); //~ ERROR acsl-violation
  //@ assert \freeable(p) && !\dangling(&q); //~ ERROR acsl-violation
  free(p);
  {
    int inner = 1;
    scoped = &inner;
    //@ assert \valid(scoped) && *scoped == 1;
  }
  //@ assert BUGGY(, !) \valid(scoped) && \dangling(&scoped); //~ ERROR acsl-violation
}

static void states(void) {
  int *p = table + 2;
Earlier:
  p = table + 5;
  //@ assert \offset{Earlier}(p) == BUGGY(20, 8) && \offset(p) == 20; //~ ERROR acsl-violation
  //@ assert \base_addr{Earlier}(p) == (char *)table && \valid{Earlier}(p + BUGGY(8, 7)); //~ ERROR acsl-violation
}

static void lists(void) {
  struct node last = {2, NULL}, first = {1, &last};
  //@ assert \valid(first.next) && first.next->value == BUGGY(1, 2); //~ ERROR acsl-violation
  //@ assert first.next->next == \null && \valid(&first.next->next) && BUGGY(, !) \valid(first.next->next); //~ ERROR acsl-violation
}

// ------------------------------------------------------------------------------------------ assigns

static int global, other;

/*@ assigns \nothing; */
static int reads(const int *p) {
  int local = *p, array[3] = {1, 2, 3};
  array[1] = local;
  BUGGY(other = 1, ); //~ ERROR acsl-violation
  //~^ NOTE the places that may be written
  return array[1];
}

static void callee(int *p) {
  *p = 7; //~ ERROR acsl-violation
}

/*@ assigns *p, a[0 .. n - 1]; */
static void writes(int *p, int *a, int n) {
  *p = 1;
  for (int i = 0; i < BUGGY(n + 1, n); i++) a[i] = i; //~ ERROR acsl-violation
  callee(BUGGY(&global, p));
  int *fresh = malloc(sizeof *fresh);
  if (fresh != NULL) *fresh = 1;
  free(fresh);
  memset(a, 0, BUGGY(5, 4) * sizeof *a); //~ ERROR acsl-violation
}

static char *rest;
/*@ assigns a[\old(n) .. n + 1]; */
static void library(int *a, int n) {
  char *end;
  a[n] = (int)strtol("12 x", BUGGY(&rest, &end), 10); //~ ERROR acsl-violation
  memset(a + n, 0, BUGGY(3, 2) * sizeof *a); //~ ERROR acsl-violation
}

/*@ behavior on: assumes on; assigns global;
    behavior off: assumes !on; assigns \nothing; */
static void conditional(int on) {
  if (on) global = 1;
  else BUGGY(global = 2, ); //~ ERROR acsl-violation
}

/*@ assigns n->value, n->next->value \from n; */
static void members(struct node *n) {
  n->value = n->next->value = 3;
  BUGGY(n->next = NULL, ); //~ ERROR acsl-violation
}

static void loops(int *a, int n) {
  int k = 0, sum = 0;
  /*@ loop assigns k, a[0 .. n - 1]; */
  for (k = 0; k < n; k++) {
    a[k] = k;
    BUGGY(sum += k, ); //~ ERROR acsl-violation
    BUGGY(table[k] = 1, ); //~ ERROR acsl-violation
  }
  /*@ loop assigns i, a[0 .. i - 1]; */
  for (int i = 0; i < n; i++) {
    a[i] = i;
    BUGGY(a[n - 1] = 0, ); //~ ERROR acsl-violation
  }
  //@ assigns a[0];
  {
    a[0] = 1;
    BUGGY(a[1] = sum, ); //~ ERROR acsl-violation
  }
  a[2] = 5;
}

// A frame that longjmp has left is closed.
static jmp_buf out;
/*@ assigns \nothing; */
static void leaves(void) { longjmp(out, 1); }

static void jumps(int *a) {
  for (int i = 0; i < 2; i++)
    if (setjmp(out) == 0) leaves();
  writes(a, a + 1, 4);
  other = 2;
}

int main(void) {
  spaces();
  times();
  states();
  lists();
  int one = 1, array[6] = {0};
  reads(&one);
  writes(&one, array, 4);
  library(array, 2);
  conditional(1), conditional(0);
  struct node last = {2, NULL}, first = {1, &last};
  members(&first);
  loops(array, 4);
  jumps(array);
  return 0;
}
