/* <search.h>: tables, trees, lists. */
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) { return *(int *)a - *(int *)b; }
static int visited, sum, deepest;

static void visit(const void *node, VISIT order, int depth) {
  if (order != postorder && order != leaf) return;
  const int value = **(int *const *)node;
  if (value <= visited) printf("out of order %d\n", value);
  visited = value;
  sum += value;
  if (depth > deepest) deepest = depth;
}

static void nothing(void *key) { (void)key; }

static void trees(void) {
  static int keys[500];
  void *root = NULL;
  for (int i = 0; i < 500; i++) {
    keys[i] = (i * 7919) % 1009 + 1;
    int **found = tsearch(&keys[i], &root, by_value);
    if (**found != keys[i]) printf("wrong %d\n", keys[i]);
  }
  twalk(root, visit);
  printf("%d %d\n", sum, deepest <= 12);
  int missing = 0, key = 5000;
  for (int i = 0; i < 500; i++) missing += tfind(&keys[i], &root, by_value) == NULL;
  printf("%d %d\n", missing, tfind(&key, &root, by_value) == NULL);
  for (int i = 0; i < 500; i += 2) tdelete(&keys[i], &root, by_value);
  visited = sum = 0;
  twalk(root, visit);
  printf("%d %d\n", sum, tdelete(&key, &root, by_value) == NULL);
  tdestroy(root, nothing);
}

static void tables(void) {
  static char names[30][8];
  static int values[30];
  printf("%d\n", hcreate(30) != 0);
  for (int i = 0; i < 30; i++) {
    sprintf(names[i], "key%d", i);
    values[i] = i * i;
    if (!hsearch((ENTRY){names[i], &values[i]}, ENTER)) printf("full at %d\n", i);
  }
  int found = 0;
  for (int i = 0; i < 40; i++) {
    char name[8];
    sprintf(name, "key%d", i);
    const ENTRY *entry = hsearch((ENTRY){name, NULL}, FIND);
    if (entry) found += *(int *)entry->data == i * i;
  }
  printf("%d\n", found);
  hdestroy();
  struct hsearch_data table;
  memset(&table, 0, sizeof table);
  ENTRY *entry;
  printf("%d ", hcreate_r(10, &table));
  printf("%d ", hsearch_r((ENTRY){"x", names}, ENTER, &entry, &table));
  errno = 0;
  printf("%d ", hsearch_r((ENTRY){"y", NULL}, FIND, &entry, &table));
  printf("%d\n", errno == ESRCH);
  hdestroy_r(&table);
}

struct element {
  struct element *next, *previous;
  int value;
};

static void lists(void) {
  int numbers[10] = {5, 3, 8}, key = 8;
  size_t count = 3;
  printf("%d ", (int)((int *)lfind(&key, numbers, &count, sizeof key, by_value) - numbers));
  key = 9;
  printf("%d ", lfind(&key, numbers, &count, sizeof key, by_value) == NULL);
  lsearch(&key, numbers, &count, sizeof key, by_value);
  printf("%zu %d\n", count, numbers[3]);
  struct element a = {.value = 1}, b = {.value = 2}, c = {.value = 3};
  insque(&a, NULL);
  insque(&c, &a);
  insque(&b, &a);
  for (struct element *e = &a; e; e = e->next) printf("%d ", e->value);
  remque(&b);
  for (struct element *e = &a; e; e = e->next) printf("%d ", e->value);
  printf("%d\n", c.previous == &a);
}

int main(void) {
  trees();
  tables();
  lists();
  return 0;
}
