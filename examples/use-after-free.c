/* A list whose head is removed and then read. */
#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *head, int value) {
  struct node *fresh = malloc(sizeof *fresh);
  fresh->value = value;
  fresh->next = head;
  return fresh;
}

static struct node *pop(struct node *head) {
  struct node *next = head->next;
  free(head);
  return next;
}

int main(void) {
  struct node *list = push(push(NULL, 1), 2);
  struct node *rest = pop(list);
  printf("popped %d, left with %d\n", list->value, rest->value);
  pop(rest);
  return 0;
}
