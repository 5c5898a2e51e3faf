// Sums of products, in arrays of arrays.
#include "buggy.h"
#define N 3
typedef int matrix[N][N];
/*@ logic integer dot(int (*a)[3], int (*b)[3], integer i, integer j) = \sum(0, 2, \lambda integer k; a[i][k] * b[k][j]); */
/*@ requires \valid(&c[0 .. N-1][0 .. N-1]) && \valid_read(a + (0 .. N-1)) && \valid_read(b + (0 .. N-1));
    assigns c[0 .. N-1][0 .. N-1];
    ensures \forall integer i, j; 0 <= i < N && 0 <= j < N ==> c[i][j] == dot(a, b, i, j); */ //~ ERROR acsl-violation
void multiply(matrix a, matrix b, matrix c) {
  for (int i = 0; i < N; i++)
    /*@ loop assigns j, c[i][0 .. N-1]; loop invariant \forall integer m; 0 <= m < j ==> c[i][m] == \sum(0, N-1, \lambda integer k; a[i][k] * b[k][m]); */ //~ ERROR acsl-violation
    for (int j = 0; j < N; j++) {
      c[i][j] = 0;
      for (int k = BUGGY(1, 0); k < N; k++) c[i][j] += a[i][k] * b[k][j];
    }
}
/*@ ensures \forall integer i, j; 0 <= i < N && 0 <= j < i ==> m[i][j] == \old(m[j][i]) && m[j][i] == \old(m[i][j]); */
void transpose(matrix m) { for (int i = 0; i < N; i++) for (int j = 0; j < i; j++) { int t = m[i][j]; m[i][j] = m[j][i]; m[j][i] = t; } }
int main(void) { matrix a = {{1,2,3},{4,5,6},{7,8,9}}, b = {{1,0,0},{0,1,0},{0,0,1}}, c; multiply(a, b, c); transpose(a); return 0; }
