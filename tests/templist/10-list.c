// engines: check
// A node is removed from a list and its memory becomes another node; an iterator and a link still name the old one.
#include "../golden/cases.h"

struct node {
  struct node *next;
  int value;
};

static struct node *make(int value, struct node *next) {
  struct node *node = malloc(sizeof *node);
  *node = (struct node){next, value};
  return node;
}

int main(void) {
  struct node *third = make(3, NULL), *second = make(2, third), *first = make(1, second);
  struct node *iterator = BUGGY(second, first);
  free(second);
  struct node *other = make(9, NULL);
  BUGGY(, first->next = third);
  int sum = iterator->value;  //~ ERROR use-after-free
  sum += first->next->value;  //~ ERROR use-after-free
  free(first), free(third), free(other);
  return sum < 0;
}
