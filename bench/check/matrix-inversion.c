#include <stdio.h>
#include <stdlib.h>

#include "random.h"

enum { N = 580 };

/* Gauss and Jordan, on a matrix with the identity beside it. */
static int invert(double a[N][2 * N]) {
  for (int column = 0; column < N; column++) {
    int pivot = column;
    for (int row = column + 1; row < N; row++)
      if (a[row][column] * a[row][column] > a[pivot][column] * a[pivot][column]) pivot = row;
    if (a[pivot][column] == 0) return 0;
    for (int k = 0; k < 2 * N; k++) {
      double t = a[column][k];
      a[column][k] = a[pivot][k];
      a[pivot][k] = t;
    }
    double factor = a[column][column];
    for (int k = 0; k < 2 * N; k++) a[column][k] /= factor;
    for (int row = 0; row < N; row++) {
      if (row == column) continue;
      factor = a[row][column];
      for (int k = 0; k < 2 * N; k++) a[row][k] -= factor * a[column][k];
    }
  }
  return 1;
}

int main(void) {
  double(*a)[2 * N] = malloc(N * sizeof *a);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 2 * N; j++) a[i][j] = j < N ? next_random() % 100 + (i == j) * 1000 : j - N == i;
  int ok = invert(a);
  printf("%d %ld\n", ok, (long)(a[0][N] * 1e6));
  free(a);
  return 0;
}
