// engines: check
// A pointer that was never assigned: the address is the use that matters.
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *list = malloc(sizeof *list);
  if (list == NULL) return 1;
  list->value = 1;
  int total = list->value + list->next->value; //~ ERROR uninitialized-read
  free(list);
  return total;
}
