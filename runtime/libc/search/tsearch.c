/*
 * Balanced search trees (AVL): the heights of a node's two subtrees differ by at most one.
 *
 * The program sees a node as a pointer to a pointer to its key, so the key comes first.
 */
#include <search.h>
#include <stdlib.h>

struct node {
  const void *key;
  struct node *child[2]; /* smaller, larger */
  int height;
};

typedef int (*comparison)(const void *, const void *);

static int height(const struct node *node) { return node ? node->height : 0; }

static void measure(struct node *node) {
  const int left = height(node->child[0]), right = height(node->child[1]);
  node->height = (left > right ? left : right) + 1;
}

/*      n              c
 *     / \            / \
 *    A   c    ──▶   n   C        for side = 1; mirrored for 0
 *       / \        / \
 *      B   C      A   B
 */
static struct node *rotate(struct node *node, int side) {
  struct node *child = node->child[side];
  node->child[side] = child->child[!side];
  child->child[!side] = node;
  measure(node);
  measure(child);
  return child;
}

/* Repairs a node whose subtrees, balanced themselves, may differ by two; returns the new top. */
static struct node *balance(struct node *node) {
  measure(node);
  for (int side = 0; side < 2; side++) {
    struct node *child = node->child[side];
    if (height(child) <= height(node->child[!side]) + 1) continue;
    if (height(child->child[!side]) > height(child->child[side])) node->child[side] = rotate(child, !side);
    return rotate(node, side);
  }
  return node;
}

static struct node *insert(struct node *node, const void *key, comparison compare, struct node **found) {
  if (!node) {
    *found = calloc(1, sizeof **found);
    if (*found) {
      (*found)->key = key;
      (*found)->height = 1;
    }
    return *found;
  }
  const int order = compare(key, node->key);
  if (order == 0) {
    *found = node;
    return node;
  }
  const int side = order > 0;
  node->child[side] = insert(node->child[side], key, compare, found);
  return balance(node);
}

void *tsearch(const void *key, void **root, comparison compare) {
  if (!root) return 0;
  struct node *found = 0;
  *root = insert(*root, key, compare, &found);
  return found;
}

void *tfind(const void *key, void *const *root, comparison compare) {
  struct node *node = root ? *root : 0;
  while (node) {
    const int order = compare(key, node->key);
    if (order == 0) return node;
    node = node->child[order > 0];
  }
  return 0;
}

/* Takes the leftmost node out of a subtree; returns what is left. */
static struct node *take_smallest(struct node *node, struct node **smallest) {
  if (!node->child[0]) {
    *smallest = node;
    return node->child[1];
  }
  node->child[0] = take_smallest(node->child[0], smallest);
  return balance(node);
}

static struct node *drop(struct node *node) {
  struct node *left = node->child[0], *right = node->child[1];
  free(node);
  if (!right) return left;
  struct node *top;
  right = take_smallest(right, &top);
  top->child[0] = left;
  top->child[1] = right;
  return balance(top);
}

/*
 * *parent becomes the node above the one that is removed, or a pointer that is not null if that is
 * the root.
 */
static struct node *remove_key(struct node *node, const void *key, comparison compare, void **parent) {
  if (!node) {
    *parent = 0;
    return 0;
  }
  const int order = compare(key, node->key);
  if (order == 0) return drop(node);
  *parent = node;
  const int side = order > 0;
  node->child[side] = remove_key(node->child[side], key, compare, parent);
  return balance(node);
}

void *tdelete(const void *restrict key, void **restrict root, comparison compare) {
  if (!root || !*root) return 0;
  void *parent = root;
  *root = remove_key(*root, key, compare, &parent);
  return parent;
}

static void walk(const struct node *node, int depth, void (*action)(const void *, VISIT, int)) {
  if (!node) return;
  if (!node->child[0] && !node->child[1]) {
    action(node, leaf, depth);
    return;
  }
  action(node, preorder, depth);
  walk(node->child[0], depth + 1, action);
  action(node, postorder, depth);
  walk(node->child[1], depth + 1, action);
  action(node, endorder, depth);
}

void twalk(const void *root, void (*action)(const void *, VISIT, int)) { walk(root, 0, action); }

void twalk_r(const void *root, void (*action)(const void *, VISIT, void *), void *closure) {
  const struct node *node = root;
  if (!node) return;
  if (!node->child[0] && !node->child[1]) {
    action(node, leaf, closure);
    return;
  }
  action(node, preorder, closure);
  twalk_r(node->child[0], action, closure);
  action(node, postorder, closure);
  twalk_r(node->child[1], action, closure);
  action(node, endorder, closure);
}

void tdestroy(void *root, void (*free_key)(void *)) {
  struct node *node = root;
  if (!node) return;
  tdestroy(node->child[0], free_key);
  tdestroy(node->child[1], free_key);
  free_key((void *)node->key);
  free(node);
}
