/* Loops with fast copies, whose accesses meet marked memory after many iterations without. */
#include <stdlib.h>

#define N 400
__attribute__((noinline)) void mark(void *p, int bytes) { (void)p, (void)bytes; }
__attribute__((noinline)) void unmark(void *p, int bytes) { (void)p, (void)bytes; }
__attribute__((noinline)) void phase(void) {}

struct node {
  struct node *next;
  char kind;
  int value;
};

__attribute__((noinline)) static void fill(int *to, int value) {
  for (int i = 0; i < N; i++) to[i] = value + i;
}
__attribute__((noinline)) static void scatter(int *to, const int *order) {
  for (int i = 0; i < N; i++) to[order[i]] = i;
}
__attribute__((noinline)) static int sum(const struct node *list) {
  int sum = 0;
  for (; list; list = list->next) sum += list->value;
  return sum;
}
static int count;
__attribute__((noinline)) static void add(const int *a) {
  for (int i = 0; i < N; i++) count += a[i] & 1;
}

int main(void) {
  static int a[N], order[N], odd[N];
  for (int i = 0; i < N; i++) order[i] = i * 7 % N, odd[i] = 1;
  fill(a, 1);
  phase(); /* 1: memory that a loop has used before gets marks */
  mark(a + 250, 4 * (int)sizeof *a);
  fill(a, 2);
  phase(); /* 2 */
  scatter(a, order);
  phase(); /* 3: marks that are removed again */
  unmark(a + 250, 2 * (int)sizeof *a);
  fill(a, 3);
  phase(); /* 4 */
  unmark(a + 252, 2 * (int)sizeof *a);
  fill(a, 3);
  phase(); /* 5: a fresh block that is marked before it is filled */
  int *fresh = malloc(N * sizeof *fresh);
  if (!fresh) return 1;
  mark(fresh + 300, 2 * (int)sizeof *fresh);
  fill(fresh, 4);
  phase(); /* 6: variables that need no check */
  add(odd);
  mark(&count, sizeof count);
  add(odd);
  phase(); /* 7: a list */
  struct node *list = NULL;
  for (int i = 0; i < N; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node) return 1;
    node->next = list, node->kind = 'n', node->value = i;
    list = node;
  }
  mark(&list->next->next->next->value, sizeof list->value);
  phase(); /* 8 */
  int all = sum(list) - N * (N - 1) / 2;
  phase();
  for (struct node *next; list; list = next) next = list->next, free(list);
  free(fresh);
  return all;
}
