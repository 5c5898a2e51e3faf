// Quantifiers: nested, with dependent bounds, over types and pointers.
#include "buggy.h"
int t[4][4] = {{1,2,3,4},{0,1,2,3},{0,0,1,2},{0,0,0,1}};
int main(void) {
  int n = 4; unsigned char flags[3] = {1, 0, 1};
  //@ assert \forall integer i, j; 0 <= i < n && 0 <= j < i ==> t[i][j] == BUGGY(1, 0); //~ ERROR acsl-violation
  //@ assert \forall integer i; 0 <= i < n ==> (\exists integer j; i <= j < n && t[i][j] == BUGGY(9, 1)); //~ ERROR acsl-violation
  //@ assert \exists integer i; 0 <= i < n && \forall integer j; 0 <= j < n ==> t[i][j] > BUGGY(1, 0); //~ ERROR acsl-violation
  //@ assert \forall integer i, j, k; 0 <= i <= j <= k < n ==> t[i][k] >= t[j][k] + BUGGY(1, 0); //~ ERROR acsl-violation
  //@ assert \forall int i; 0 <= i && i < n ==> \forall int j; i < j ==> j <= n - 1 ==> t[i][j] BUGGY(==, !=) t[j][i]; //~ ERROR acsl-violation
  //@ assert \forall unsigned char c; c <= BUGGY(254, 255); //~ ERROR acsl-violation
  //@ assert \exists char c; c == BUGGY(300, 'x'); //~ ERROR acsl-violation
  //@ assert \forall integer i; i \in (0 .. 2) ==> flags[i] == 1 - i % BUGGY(3, 2); //~ ERROR acsl-violation
  //@ assert \forall integer i; -1 < i < 3 ==> flags[i] <= BUGGY(0, 1); //~ ERROR acsl-violation
  //@ assert \forall integer i; (0 <= i < 3 && flags[i] == 1) ==> i BUGGY(==, !=) 1; //~ ERROR acsl-violation
  //@ assert \forall integer i; n > i >= 0 ==> t[i][i] == BUGGY(2, 1); //~ ERROR acsl-violation
  //@ assert !(\exists integer i; 5 <= i < 3) && (\forall integer i; 5 <= i < 3 ==> \false);
  //@ assert \forall int *p; &t[0][0] <= p < &t[0][4] ==> *p > BUGGY(1, 0); //~ ERROR acsl-violation
  //@ assert \forall size_t i; i < 3 ==> flags[i] <= BUGGY(0, 1); //~ ERROR acsl-violation
  //@ assert \forall integer a, b; 0 <= a <= 2 ==> 0 <= b <= 2 ==> a * b <= BUGGY(3, 4); //~ ERROR acsl-violation
  return 0;
}
