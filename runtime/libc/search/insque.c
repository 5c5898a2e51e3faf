/* Doubly linked lists of structures that begin with the two links. */
#include <search.h>

struct links {
  struct links *next, *previous;
};

void insque(void *element, void *after) {
  struct links *new = element, *before = after;
  new->previous = before;
  new->next = before ? before->next : 0;
  if (new->next) new->next->previous = new;
  if (before) before->next = new;
}

void remque(void *element) {
  struct links *gone = element;
  if (gone->previous) gone->previous->next = gone->next;
  if (gone->next) gone->next->previous = gone->previous;
}
