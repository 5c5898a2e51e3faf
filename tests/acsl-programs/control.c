// Contracts and frames across returns, jumps and recursion.
#include "buggy.h"
#include <setjmp.h>
int g; static jmp_buf jb;
/*@ assigns \nothing; ensures \result == BUGGY(2, 3); */ //~ ERROR acsl-violation
int returns(int n) {
  /*@ loop assigns i; loop invariant 0 <= i; */
  for (int i = 0; ; i++) {
    /*@ loop assigns j; */
    for (int j = 0; j < 5; j++) { if (i * 5 + j == n) return 3; if (j == 4) goto next; }
    next: ;
    switch (i) { case 7: return 3; case 2: continue; default: break; }
  }
}
/*@ assigns g; ensures g == \old(g) + 1; */
void jumps(int deep) { g++; if (deep) longjmp(jb, 1); }
/*@ assigns g; ensures g >= 0; */
int catcher(void) { volatile int n = 0; if (setjmp(jb) == 0) { jumps(1); } n = n + 1; jumps(0); return n; }
/*@ requires n >= 0; decreases n; assigns \nothing; ensures \result == (n == 0 ? 1 : 2 * \result / 2); */
int rec(int n) { return n == 0 ? 1 : rec(n - 1) * 2; }
/*@ requires k >= 0; decreases k; ensures \old(a[k]) == a[k] + BUGGY(1, 0); assigns a[0 .. 2]; */ //~ ERROR acsl-violation
void rec2(int *a, int k) { int t = a[k]; a[k] = 0; if (k > 0) rec2(a, k - 1); a[k] = t; }
/*@ requires \valid(p); ensures *p == \old(*p); */
void void_return(int *p) { if (*p > 3) return; (*p)++; if (*p > 0) { (*p)--; return; } --*p; }
/*@ requires f != \null && \valid_function(f); ensures \result == BUGGY(0, \old(v) + 1); */ //~ ERROR acsl-violation
int apply(int (*f)(int), int v) { return f(v); }
/*@ requires v < 100; ensures \result == v + 1; */ int inc(int v) { return v + 1; }
struct pt { int x, y; };
/*@ ensures \result.x == y && \result.y == x + BUGGY(1, 0); */ struct pt mk(int x, int y) { return (struct pt){y, x}; } //~ ERROR acsl-violation
/*@ requires argc >= 1 && \valid_read(argv + (0 .. argc)) && argv[argc] == \null; ensures \result == 0; */
int main(int argc, char **argv) { int a[3] = {1, 2, 3}, v = 3; returns(12); catcher(); rec(5); rec2(a, 2); void_return(&v); apply(inc, 3); mk(1, 2); g = 0; }
