/*
 * Labels in loops that have a clean fast copy: a label that a loop meets after many iterations
 * without one, and labels in places that a loop does not touch. Prints the line of each
 * expectation that fails.
 */
#include <redzone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 300
static int failures;
#define EXPECT(p, n, expected)                                                                  \
  do {                                                                                          \
    if (redzone_has_label(p, n, "x") != (expected)) printf("line %d\n", __LINE__), failures++;  \
  } while (0)
#define LABEL(p, n) redzone_label(p, n, "x")

/* Only these elements of the array have labels. */
static void expect_only(const int *a, int first, int last, int line) {
  for (int i = 0; i < N; i++)
    if (redzone_has_label(a + i, sizeof *a, "x") != (i >= first && i <= last))
      printf("element %d at line %d\n", i, line), failures++;
}
#define ONLY(a, first, last) expect_only(a, first, last, __LINE__)

__attribute__((noinline)) static void copy(int *to, const int *from) {
  for (int i = 0; i < N; i++) to[i] = from[i];
}
__attribute__((noinline)) static void gather(int *to, const int *from, const int *order) {
  for (int i = 0; i < N; i++) to[i] = from[order[i]];
}
__attribute__((noinline)) static void scatter(int *to, const int *from, const int *order) {
  for (int i = 0; i < N; i++) to[order[i]] = from[i];
}
__attribute__((noinline)) static void fill(int *to, int value) {
  for (int i = 0; i < N; i++) to[i] = value;
}
__attribute__((noinline)) static int sum(const int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}
__attribute__((noinline)) static int least(const int *a) {
  int least = a[0];
  for (int i = 1; i < N; i++)
    if (a[i] < least) least = a[i];
  return least;
}

struct node {
  struct node *next;
  char kind;
  int value;
};
__attribute__((noinline)) static int sum_list(const struct node *list) {
  int sum = 0;
  for (; list; list = list->next) sum += list->value;
  return sum;
}
__attribute__((noinline)) static void clear_list(struct node *list) {
  for (; list; list = list->next) list->value = 0;
}

static int total, limit = N;
__attribute__((noinline)) static void add_all(const int *a) {
  for (int i = 0; i < limit; i++) total += a[i];
}
__attribute__((noinline)) static void spread(int *to) {
  for (int i = 0; i < limit; i++) to[i] = total;
}

__attribute__((noinline)) static size_t bytes_before(const char *text, char *copied, char end) {
  size_t n = 0;
  while (text[n] != end) copied[n] = text[n], n++;
  return n;
}

__attribute__((noinline)) static void transpose(int (*to)[20], int (*from)[20]) {
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 20; j++) to[j][i] = from[i][j];
}

__attribute__((noinline)) static void sort(int *a) {
  for (int i = 1; i < N; i++)
    for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
      int kept = a[j];
      a[j] = a[j - 1], a[j - 1] = kept;
    }
}

int main(void) {
  static int a[N], b[N], order[N], reversed[N];
  for (int i = 0; i < N; i++) a[i] = i, order[i] = (i * 7) % N, reversed[i] = N - 1 - i;
  copy(b, a), gather(b, a, order);
  ONLY(b, 1, 0);
  LABEL(a + 150, sizeof *a);
  copy(b, a);
  ONLY(b, 150, 150);
  gather(b, a, reversed);
  ONLY(b, N - 1 - 150, N - 1 - 150);
  scatter(b, a, reversed);
  ONLY(b, N - 1 - 150, N - 1 - 150);
  scatter(b, a, order);
  ONLY(b, 150 * 7 % N, 150 * 7 % N);

  /* A store without a label removes one, and a store of a labelled value sets it everywhere. */
  fill(b, 3);
  ONLY(b, 1, 0);
  int x = 5;
  LABEL(&x, sizeof x);
  fill(b, x);
  ONLY(b, 0, N - 1);
  fill(b, 4);
  ONLY(b, 1, 0);

  int result = sum(a, 150);
  EXPECT(&result, sizeof result, 0);
  result = sum(a, 151);
  EXPECT(&result, sizeof result, 1);
  result = sum(a, N);
  EXPECT(&result, sizeof result, 1);
  result = least(a);
  EXPECT(&result, sizeof result, 0);
  a[150] = -1;
  ONLY(a, 1, 0);
  LABEL(a + 150, sizeof *a);
  result = least(a);
  EXPECT(&result, sizeof result, 1);

  /* Variables that need no check. */
  add_all(b);
  EXPECT(&total, sizeof total, 0);
  spread(b);
  ONLY(b, 1, 0);
  add_all(a);
  EXPECT(&total, sizeof total, 1);
  spread(b);
  ONLY(b, 0, N - 1);
  total = 0;
  spread(b);
  ONLY(b, 1, 0);

  struct node *list = NULL;
  for (int i = 0; i < N; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node) return 1;
    *node = (struct node){list, 'n', 1};
    list = node;
  }
  result = sum_list(list);
  EXPECT(&result, sizeof result, 0);
  struct node *middle = list;
  for (int i = 0; i < 200; i++) middle = middle->next;
  LABEL(&middle->value, sizeof middle->value);
  result = sum_list(list);
  EXPECT(&result, sizeof result, 1);
  clear_list(list);
  EXPECT(&middle->value, sizeof middle->value, 0);
  LABEL(&middle->kind, 1);
  result = sum_list(list);
  EXPECT(&result, sizeof result, 0);

  /* One byte of a granule, and a fresh block that is filled. */
  char text[N], *copied = malloc(N);
  if (!copied) return 1;
  memset(text, 'a', N);
  text[N - 1] = '.';
  LABEL(text + 203, 1);
  result = (int)bytes_before(text, copied, '.');
  EXPECT(copied, 203, 0);
  EXPECT(copied + 203, 1, 1);
  EXPECT(copied + 204, N - 205, 0);
  result = (int)bytes_before(text + 210, copied + 200, '.');
  EXPECT(copied, 289, 0);

  static int from[20][20], to[20][20];
  LABEL(&from[13][17], sizeof(int));
  transpose(to, from);
  EXPECT(&to[17][13], sizeof(int), 1);
  EXPECT(to, 17 * sizeof *to + 13 * sizeof(int), 0);
  EXPECT(&to[17][14], 2 * sizeof *to + 6 * sizeof(int), 0);

  for (int i = 0; i < N; i++) a[i] = N - i;
  ONLY(a, 1, 0);
  LABEL(a + 100, sizeof *a);
  sort(a);
  ONLY(a, N - 101, N - 101);

  for (struct node *next; list; list = next) next = list->next, free(list);
  free(copied);
  printf("%d failures, %d\n", failures, result);
  return 0;
}
