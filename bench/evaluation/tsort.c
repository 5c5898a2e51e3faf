/* tsort: pairs of letters on standard input in an order in which the first comes before the second. */
#include <stdio.h>
#include <stdlib.h>

struct successor {
  struct node *node;
  struct successor *next;
};

struct node {
  int name, before, is_done;
  struct successor *successors;
  struct node *next;
};

static struct node *nodes;

static struct node *node_named(int name) {
  for (struct node *node = nodes; node; node = node->next)
    if (node->name == name) return node;
  struct node *node = calloc(1, sizeof *node);
  if (!node) exit(1);
  node->name = name;
  node->next = nodes;
  return nodes = node;
}

int main(void) {
  int a, b, left = 0, is_cyclic = 0;
  while ((a = getchar()) != EOF && (b = getchar()) != EOF) {
    struct node *first = node_named(a), *second = node_named(b);
    if (first == second) continue;
    struct successor *successor = malloc(sizeof *successor);
    if (!successor) return 1;
    successor->node = second;
    successor->next = first->successors;
    first->successors = successor;
    second->before++;
  }
  for (struct node *node = nodes; node; node = node->next) left++;
  while (left > 0) {
    struct node *free_node = NULL;
    for (struct node *node = nodes; node && !free_node; node = node->next)
      if (!node->is_done && node->before == 0) free_node = node;
    if (!free_node) {
      is_cyclic = 1;
      break;
    }
    free_node->is_done = 1;
    left--;
    for (struct successor *at = free_node->successors; at; at = at->next) at->node->before--;
  }
  while (nodes) {
    struct node *node = nodes;
    nodes = node->next;
    while (node->successors) {
      struct successor *at = node->successors;
      node->successors = at->next;
      free(at);
    }
    free(node);
  }
  return is_cyclic;
}
