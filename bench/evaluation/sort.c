/* sort: the bytes of standard input in a tree. */
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *left, *right;
  int key;
};

static void insert(struct node **at, int key) {
  while (*at) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
  *at = calloc(1, sizeof **at);
  if (*at) (*at)->key = key;
}

static void print(struct node *node) {
  if (!node) return;
  print(node->left);
  putchar(node->key);
  print(node->right);
  free(node);
}

int main(void) {
  struct node *root = NULL;
  int c;
  while ((c = getchar()) != EOF) insert(&root, c);
  print(root);
  return 0;
}
