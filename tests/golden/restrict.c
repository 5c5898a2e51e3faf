// engines: check
// adds: restrict
// Memory that is accessed through a `restrict` parameter, and in another way.
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

static int global[8];
static volatile int sink;

static void scale(int n, double *restrict to, const double *restrict from) {
  for (int i = 0; i < n; i++) to[i] = 2 * from[i]; //~ ERROR restrict-violation
}

static void count(int *restrict counter) {
  global[1]++;
  ++*counter; //~ ERROR restrict-violation
}

static void fill(char *restrict to, char *from, size_t n) {
  while (n-- > 0) *to++ = *from++; //~ ERROR restrict-violation
}

struct pair {
  long first, second;
};

static void move(struct pair *restrict to, struct pair *from) {
  from->first = 1;
  *to = *from; //~ ERROR restrict-violation
}

/* Nothing of what follows is an error. */

static void interleaved(int n, float *restrict real, float *restrict imaginary) {
  for (int i = 0; i < n; i++) {
    real[2 * i] = (float)i;
    imaginary[2 * i] = -real[2 * i];
  }
}

static int dot(int n, const int *restrict a, const int *restrict b) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static void in_place(int n, int *restrict a) {
  int *end = a + n, *p = a;
  for (; p < end; p++) *p += 1;
  for (int i = 0; i + 1 < n; i++) a[i] ^= a[i + 1];
}

static int quicksort_like(int n, int *restrict a) {
  if (n < 2) return n > 0 ? a[0] : 0;
  a[0] += a[n - 1];
  return quicksort_like(n / 2, a) + quicksort_like(n - n / 2, a + n / 2) + a[0];
}

static jmp_buf out;

static void leaves(int *restrict a) {
  *a = 1;
  longjmp(out, 1);
}

static int jumped(int *restrict a, const int *restrict b) {
  *a = 3;
  int value = *a + *b;
  if (setjmp(out) == 0) leaves(a);
  return *a + value;
}

int main(void) {
  double values[16] = {0};
  scale(4, values + BUGGY(1, 4), values);
  count(BUGGY(&global[1], &global[2]));
  char *text = strdup("some text that is long");
  fill(text + BUGGY(4, 12), text, 8);
  free(text);
  struct pair pairs[2] = {{1, 2}, {3, 4}};
  move(&pairs[0], &pairs[BUGGY(0, 1)]);

  float numbers[16];
  interleaved(8, numbers, numbers + 1);
  int cells[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  sink = dot(8, cells, cells);
  in_place(8, cells);
  sink = quicksort_like(8, cells);
  sink = jumped(&cells[0], &cells[1]);
  memcpy(cells, cells + 4, 16);
  return 0;
}
