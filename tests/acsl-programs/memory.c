// Memory predicates with ranges, in space and in time.
#include "buggy.h"
struct s { char c; int i; int arr[3]; } st;
int *escape(void) { int local = 3; int *p = &local; return p; }
int main(void) {
  int *p = malloc(10 * sizeof(int)), *q, *r, k; char *c = (char *)p; void *v = p; const char *lit = "lit";
  if (!p) return 1;
  //@ assert \valid(p + (0 .. BUGGY(10, 9))) && \valid_read(p + (0 .. 9)) && !\valid(p + 10) && !\valid(p - 1); //~ ERROR acsl-violation
  //@ assert \valid(&p[0 .. 9]) && \valid(p + (2 .. 1)) && \valid((char *)p + (0 .. BUGGY(40, 39))); //~ ERROR acsl-violation
  //@ assert !\initialized(p) && !\initialized(p + (0 .. 9)) && BUGGY(\initialized(&k), !\initialized(&k)); //~ ERROR acsl-violation
  for (int i = 0; i < 9; i++) p[i] = i;
  //@ assert \initialized(p + (0 .. 8)) && !\initialized(p + (0 .. 9)) && \initialized(p + BUGGY(9, 8)); //~ ERROR acsl-violation
  //@ assert \base_addr(p + 3) == (char *)p && \base_addr(c + 7) == \base_addr(p) && \offset(p + 3) == BUGGY(3, 12) && \block_length(p + 2) == 40; //~ ERROR acsl-violation
  //@ assert \freeable(p) && !\freeable(p + 1) && !\freeable(&k) && !\freeable(\null) && BUGGY(\freeable(&st), \freeable(v)); //~ ERROR acsl-violation
  //@ assert \separated(p, p + 1) && \separated(p + (0 .. 4), p + (5 .. 9)) && !\separated(p + (0 .. 5), p + (5 .. 9)) && \separated(&k, p + (0 .. 9), &st) && BUGGY(\separated(c, p), !\separated(c, p)); //~ ERROR acsl-violation
  //@ assert \valid_read(lit + (0 .. 3)) && BUGGY(\valid((char *)lit), !\valid((char *)lit)); //~ ERROR acsl-violation
  //@ assert \valid(&st.arr[0 .. 2]) && \valid(&st) && \offset(&st.i) == 4 && \block_length(&st.arr[1]) == BUGGY(12, 20) && \base_addr(&st.arr[2]) == (char *)&st; //~ ERROR acsl-violation
  q = p; r = p + 2;
  p = realloc(p, 20 * sizeof(int));
  //@ assert !\valid(q) && !\valid(r) && \valid(p + (0 .. 19)) && \dangling(&q) && !\dangling(&p) && BUGGY(\valid_read(r), !\valid_read(r)); //~ ERROR acsl-violation
  free(p);
  int *again = malloc(20 * sizeof(int));
  //@ assert !\valid(p) && \dangling(&p) && \valid(again) && !\freeable(p) && BUGGY(\freeable(q), \freeable(again)); //~ ERROR acsl-violation
  free(again);
  q = escape();
  //@ assert BUGGY(\valid(q), !\valid(q)) && \dangling(&q); //~ ERROR acsl-violation
  { int inner[2] = {1, 2}; q = inner; /*@ assert \valid(q + (0..1)); */ }
  //@ assert !\valid(q) && \dangling({&q, &p}); 
  int *null = 0;
  //@ assert !\valid(null) && !\valid_read(null) && !\dangling(&null) && null == \null && \allocable(\null) && BUGGY(\valid(null + 1), !\valid(null + 1)); //~ ERROR acsl-violation
  return 0;
}
