/* A B-tree: inserted into, searched and walked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check/random.h"

#define ORDER 16

struct node {
  int count, is_leaf;
  unsigned keys[2 * ORDER - 1];
  struct node *children[2 * ORDER];
};

static struct node *new_node(int is_leaf) {
  struct node *node = malloc(sizeof *node);
  node->count = 0;
  node->is_leaf = is_leaf;
  return node;
}

static int position(const struct node *node, unsigned key) {
  int low = 0, high = node->count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (node->keys[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

static void split(struct node *parent, int at) {
  struct node *left = parent->children[at], *right = new_node(left->is_leaf);
  right->count = ORDER - 1;
  memcpy(right->keys, left->keys + ORDER, (ORDER - 1) * sizeof *left->keys);
  if (!left->is_leaf) memcpy(right->children, left->children + ORDER, ORDER * sizeof *left->children);
  left->count = ORDER - 1;
  memmove(parent->keys + at + 1, parent->keys + at, (size_t)(parent->count - at) * sizeof *parent->keys);
  memmove(parent->children + at + 2, parent->children + at + 1, (size_t)(parent->count - at) * sizeof *parent->children);
  parent->keys[at] = left->keys[ORDER - 1];
  parent->children[at + 1] = right;
  parent->count++;
}

static void insert(struct node **root, unsigned key) {
  struct node *node = *root;
  if (node->count == 2 * ORDER - 1) {
    struct node *above = new_node(0);
    above->children[0] = node;
    split(above, 0);
    *root = node = above;
  }
  while (!node->is_leaf) {
    int at = position(node, key);
    if (node->children[at]->count == 2 * ORDER - 1) {
      split(node, at);
      if (node->keys[at] < key) at++;
    }
    node = node->children[at];
  }
  int at = position(node, key);
  for (int i = node->count; i > at; i--) node->keys[i] = node->keys[i - 1];
  node->keys[at] = key;
  node->count++;
}

static int contains(const struct node *node, unsigned key) {
  for (;;) {
    int at = position(node, key);
    if (at < node->count && node->keys[at] == key) return 1;
    if (node->is_leaf) return 0;
    node = node->children[at];
  }
}

static unsigned long sum(const struct node *node) {
  unsigned long total = 0;
  for (int i = 0; i < node->count; i++) total += node->keys[i];
  if (!node->is_leaf)
    for (int i = 0; i <= node->count; i++) total += sum(node->children[i]);
  return total;
}

static void release(struct node *node) {
  if (!node->is_leaf)
    for (int i = 0; i <= node->count; i++) release(node->children[i]);
  free(node);
}

int main(void) {
  struct node *root = new_node(1);
  int found = 0;
  for (int i = 0; i < 400000; i++) insert(&root, next_random() % 1000000);
  for (int i = 0; i < 1000000; i++) found += contains(root, next_random() % 1000000);
  printf("%d %lu\n", found, sum(root));
  release(root);
  return 0;
}
