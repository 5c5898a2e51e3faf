/* A harness for one function: a `main` that makes its arguments symbolic and sets the pointers. `redzone explore examples/function-harness.c` */
#include <redzone.h>
#include <stddef.h>
struct item { struct item *next; int weight; };

static int heaviest(const struct item *first, int limit) {
  int most = 0;
  for (const struct item *at = first; at != NULL; at = at->next)
    if (at->weight > most && at->weight < limit) most = at->weight;
  return 100 / (limit - most);
}

int main(void) {
  struct item items[2];
  int limit;
  redzone_symbolic(items, sizeof items, "items");
  redzone_symbolic(&limit, sizeof limit, "limit");
  items[0].next = &items[1];
  items[1].next = NULL;
  return heaviest(items, limit) > 50;
}
