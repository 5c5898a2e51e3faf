// Places of all kinds in assigns.
#include "buggy.h"
struct p { int x, y; int a[4]; struct p *next; } gp, gq; int g1, g2, arr[10], grid[3][3]; char *name;
/*@ assigns gp.x, gp.a[1 .. 2]; */
void f1(void) { gp.x = 1; gp.a[1] = 1; gp.a[2] = 2; gp.BUGGY(y, x) = 1; } //~ ERROR acsl-violation
/*@ assigns arr[..]; */ void f2(int i) { arr[i] = 1; BUGGY(g1 = 1, ); } //~ ERROR acsl-violation
/*@ assigns *p, p->next->y; */
void f3(struct p *p) { p->x = 2; p->next->y = 3; p->next->BUGGY(x, y) = 4; } //~ ERROR acsl-violation
/*@ assigns arr[0 .. 3], arr[5 .. 7]; */
void f4(void) { memset(arr, 0, 16); memset(arr + 5, 0, BUGGY(16, 12)); } //~ ERROR acsl-violation
/*@ assigns g1, g2 \from g1, g2; assigns \result \from g1; */
int f5(void) { int t = g1; g1 = g2; g2 = t; BUGGY(arr[0] = 1, ); return t; } //~ ERROR acsl-violation
/*@ assigns { arr[i] | integer i; 0 <= i < 10 && i % 2 == 0 }; */
void f6(void) { for (int i = 0; i < 10; i += 2) arr[i] = i; BUGGY(arr[3] = 1, ); } //~ ERROR acsl-violation
/*@ assigns \union(arr[0], {g1}); */ void f7(void) { arr[0] = g1 = 1; BUGGY(g2 = 1, ); } //~ ERROR acsl-violation
/*@ assigns grid[0 .. 2][1]; */ void f8(void) { for (int i = 0; i < 3; i++) grid[i][1] = 1; BUGGY(grid[1][2] = 1, ); } //~ ERROR acsl-violation
/*@ assigns \nothing; */ int f9(int n) { int l[3], *h = malloc(4); struct p s = {0}; if (!h) return 0; l[0] = *h = n; s.x = 3; free(h); static int calls; BUGGY(calls++, ); return l[0] + calls; } //~ ERROR acsl-violation
/*@ assigns gp; */ void f10(void) { gp = gq; BUGGY(gq = gp, ); } //~ ERROR acsl-violation
/*@ assigns name[0 .. 4]; */ void f11(void) { strcpy(name, BUGGY("hello", "hell")); } //~ ERROR acsl-violation
/*@ requires n >= 0; assigns a[0 .. n - 1]; */
void f12(int *a, int n) {
  /*@ loop assigns i, a[0 .. i - 1]; */
  for (int i = 0; i < n; i++) { a[i] = 0; BUGGY(if (i == 1) a[3] = 1, ); } //~ ERROR acsl-violation
  int total = 0, k;
  /*@ loop assigns total, k; */
  for (k = 0; k < n; k++) { total += a[k]; BUGGY(n = n, ); } //~ ERROR acsl-violation
}
/*@ assigns g1; */ void inner(void) { g1 = 1; }
/*@ assigns g2; */ void outer(void) { g2 = 2; BUGGY(inner(), ); } //~^ ERROR acsl-violation
int main(void) { f1(); f2(3); gp.next = &gq; f3(&gp); f4(); f5(); f6(); f7(); f8(); f9(1); f10(); name = malloc(10); if (name) f11(); free(name); f12(arr, 5); outer(); return 0; }
