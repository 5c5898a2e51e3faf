#include <stdio.h>

static int leaf(int n) { return n + 1; }

static int fib(int n) { return n < 2 ? leaf(n) : fib(n - 1) + fib(n - 2); }

static int sum(const int *values, int n) { return n == 0 ? 0 : leaf(values[0]) + sum(values + 1, n - 1); }

int main(void) {
  int values[] = {1, 2, 3, 4};
  printf("%d %d\n", fib(6), sum(values, 4));
  return 0;
}
