#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static double **matrix(int n) {
  double **rows = malloc(n * sizeof *rows);
  for (int i = 0; i < n; i++) {
    rows[i] = malloc(n * sizeof **rows);
    for (int j = 0; j < n; j++) rows[i][j] = next_random() % 100;
  }
  return rows;
}

static void release(double **rows, int n) {
  for (int i = 0; i < n; i++) free(rows[i]);
  free(rows);
}

static void multiply(double **a, double **b, double **c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

int main(void) {
  enum { N = 540 };
  double **a = matrix(N), **b = matrix(N), **c = matrix(N);
  multiply(a, b, c, N);
  printf("%ld %ld\n", (long)c[0][0], (long)c[N - 1][N - 1]);
  release(a, N), release(b, N), release(c, N);
  return 0;
}
