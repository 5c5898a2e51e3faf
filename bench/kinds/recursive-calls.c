/* Calls that do little: Fibonacci, Ackermann, and the queens on a board. */
#include <stdio.h>

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static int queens(int size, int row, unsigned columns, unsigned left, unsigned right) {
  if (row == size) return 1;
  int ways = 0;
  for (unsigned free = ~(columns | left | right) & ((1u << size) - 1); free; free &= free - 1) {
    unsigned place = free & -free;
    ways += queens(size, row + 1, columns | place, (left | place) << 1, (right | place) >> 1);
  }
  return ways;
}

int main(void) {
  printf("%d %d %d\n", fibonacci(37), ackermann(2, 2500), queens(12, 0, 0, 0, 0));
  return 0;
}
