// engines: check
// Loop annotations, and the all_zeros of the hybrid-monitoring paper.
#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

/*@ requires n >= 0 && \valid(t + (0 .. n - 1));
    assigns \nothing;
    ensures \result != 0 <==> (\forall integer j; 0 <= j < n ==> t[j] == 0); //~ ERROR acsl-violation
*/
static int all_zeros(int t[], int n) {
  int k;
  /*@ loop invariant 0 <= k <= n;
      loop invariant \forall integer j; 0 <= j < k ==> t[j] == 0; //~ ERROR acsl-violation
      //~^ NOTE j = 3
      loop assigns k;
      loop variant n - k;
  */
  for (k = 0; k < n; k++)
    if (t[k] != 0 BUGGY(&& k != 3, ))
      return 0;
  return 1;
}

static void invariants(int n) {
  int sum = 0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant sum == \sum(0, i - 1, \lambda integer k; k); //~ ERROR acsl-violation
  */
  for (int i = 0; i < n; i++) sum += BUGGY(i == 2 ? 3 : i, i);

  int i = BUGGY(-1, 0);
  //@ loop invariant 0 <= i; //~ ERROR acsl-violation
  //~^ NOTE iterations of the loop = 0
  while (i < n) i++;

  i = 0;
  /*@ loop invariant i % 2 == 0; //~ ERROR acsl-violation
      loop variant n - i; */
  do {
    i += 2;
    if (i == 4) continue;
    BUGGY(i += i == 6, );
  } while (i < n);

  i = 0;
  //@ loop invariant i <= BUGGY(2, 3); //~ ERROR acsl-violation
  for (;;)
    if (i++ == 3) break;
}

/*@ predicate halves(integer before, integer now) = 2 * now <= before; */

static void variants(int n) {
  int i = n;
  //@ loop variant i; //~ ERROR acsl-violation
  //~^ NOTE the same a turn before = 3
  while (i > 0) {
    if (BUGGY(i == 3 && n-- > 0, 0)) continue;
    i--;
  }
  i = 3;
  //@ loop variant i; //~ ERROR acsl-violation
  while (i > BUGGY(-2, -1)) i--;
  i = 64;
  //@ loop variant i for halves; //~ ERROR acsl-violation
  while (i > 1) i = BUGGY(i * 2 / 3, i / 2);
}

//@ predicate unchanged{K,L}(int *a, integer m, integer n) = \forall integer i; m <= i < n ==> \at(a[i], K) == \at(a[i], L);
static void earlier(int *a, int n) {
  /*@ loop invariant \forall integer k; 0 <= k < i ==> a[k] == \at(a[k], Pre) + BUGGY(k, 1); //~ ERROR acsl-violation
      loop invariant unchanged{Pre,Here}(a, i, n); //~ ERROR acsl-violation
  */
  for (int i = 0; i < n; i++) a[BUGGY(n - 1 - i, i)]++;
}

static void states(int n) {
  int total = n;
  /*@ loop invariant total == \at(total, LoopEntry) + BUGGY(2 * i, i); //~ ERROR acsl-violation
      loop invariant i > 0 ==> total == \at(total, LoopCurrent) + 1; //~ ERROR acsl-violation
      loop invariant \at(n, Pre) == n; */
  for (int i = 0; i < n; i++) {
    total += BUGGY(i == 1 ? 2 : 1, 1);
    //@ assert i == 0 ==> total == \at(total, LoopEntry) + BUGGY(2, 1); //~ ERROR acsl-violation
    //@ assert i == 2 ==> total == \at(total, LoopCurrent) + BUGGY(2, 1); //~ ERROR acsl-violation
  }
}

/*@ requires n >= 0;
    behavior up: assumes step > 0;
    behavior down: assumes step < 0; */
static void behaviors(int n, int step) {
  int i = 0;
  /*@ for up: loop invariant 0 <= i;
      for down: loop invariant i <= BUGGY(-1, 0); //~ ERROR acsl-violation
  */
  while (i < n && i > -n) i += step;
  //@ for up: assert i >= n;
  //@ for down: assert i == BUGGY(n, -n); //~ ERROR acsl-violation
}

static void nested(int n) {
  int cells = 0;
  //@ loop invariant cells == i * n;
  for (int i = 0; i < n; i++) {
    /*@ loop invariant cells == i * n + j; //~ ERROR acsl-violation
        loop assigns j, cells;
        loop variant n - j; */
    for (int j = 0; j < n; j++) cells += BUGGY(i == 1 && j == 1 ? 2 : 1, 1);
    BUGGY(cells = (i + 1) * n, );
  }
}

int main(void) {
  int t[6] = {0, 0, 0, BUGGY(7, 0), 0, 0};
  all_zeros(t, 6);
  t[2] = 1;
  all_zeros(t, 6);
  invariants(8);
  variants(5);
  earlier(t, 6);
  states(3);
  behaviors(3, 1), behaviors(3, -1);
  nested(3);
  return 0;
}
