// engines: check
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *list = malloc(sizeof *list);
  if (list == NULL) return 1;
  list->value = 1;
  list->next = NULL;
  int total = list->value + (list->next ? list->next->value : 0);
  free(list);
  return total != 1;
}
