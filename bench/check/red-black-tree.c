#include <stdio.h>
#include <stdlib.h>

#include "random.h"

enum color { RED, BLACK };

struct node {
  int key;
  enum color color;
  struct node *left, *right, *parent;
};

static struct node *root;

static void rotate_left(struct node *x) {
  struct node *y = x->right;
  x->right = y->left;
  if (y->left) y->left->parent = x;
  y->parent = x->parent;
  if (!x->parent) root = y;
  else if (x == x->parent->left) x->parent->left = y;
  else x->parent->right = y;
  y->left = x;
  x->parent = y;
}

static void rotate_right(struct node *x) {
  struct node *y = x->left;
  x->left = y->right;
  if (y->right) y->right->parent = x;
  y->parent = x->parent;
  if (!x->parent) root = y;
  else if (x == x->parent->right) x->parent->right = y;
  else x->parent->left = y;
  y->right = x;
  x->parent = y;
}

static void repair(struct node *z) {
  while (z->parent && z->parent->color == RED) {
    struct node *grandparent = z->parent->parent;
    if (z->parent == grandparent->left) {
      struct node *uncle = grandparent->right;
      if (uncle && uncle->color == RED) {
        z->parent->color = uncle->color = BLACK;
        grandparent->color = RED;
        z = grandparent;
        continue;
      }
      if (z == z->parent->right) rotate_left(z = z->parent);
      z->parent->color = BLACK;
      grandparent->color = RED;
      rotate_right(grandparent);
    } else {
      struct node *uncle = grandparent->left;
      if (uncle && uncle->color == RED) {
        z->parent->color = uncle->color = BLACK;
        grandparent->color = RED;
        z = grandparent;
        continue;
      }
      if (z == z->parent->left) rotate_right(z = z->parent);
      z->parent->color = BLACK;
      grandparent->color = RED;
      rotate_left(grandparent);
    }
  }
  root->color = BLACK;
}

static int insert(int key) {
  struct node *parent = NULL, **link = &root;
  while (*link) {
    parent = *link;
    if (key == parent->key) return 0;
    link = key < parent->key ? &parent->left : &parent->right;
  }
  struct node *fresh = malloc(sizeof *fresh);
  fresh->key = key;
  fresh->color = RED;
  fresh->left = fresh->right = NULL;
  fresh->parent = parent;
  *link = fresh;
  repair(fresh);
  return 1;
}

static const struct node *find(int key) {
  const struct node *n = root;
  while (n && n->key != key) n = key < n->key ? n->left : n->right;
  return n;
}

static int release(struct node *n) {
  if (!n) return 0;
  int count = release(n->left) + release(n->right) + 1;
  free(n);
  return count;
}

int main(void) {
  int inserted = 0, found = 0;
  for (int i = 0; i < 200000; i++) inserted += insert((int)(next_random() % 1000000));
  for (int i = 0; i < 900000; i++) found += find((int)(next_random() % 1000000)) != NULL;
  printf("%d %d %d\n", inserted, found, release(root));
  return 0;
}
