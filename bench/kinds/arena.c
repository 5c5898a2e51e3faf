/* An arena that allocates sequentially and is released at once: lists and a tree in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check/random.h"

struct chunk {
  struct chunk *next;
  size_t used, size;
  char bytes[];
};

struct arena {
  struct chunk *chunk;
};

static void *take(struct arena *arena, size_t n) {
  n = (n + 15) & ~(size_t)15;
  struct chunk *chunk = arena->chunk;
  if (!chunk || chunk->used + n > chunk->size) {
    size_t size = n > 65536 ? n : 65536;
    chunk = malloc(sizeof *chunk + size);
    *chunk = (struct chunk){arena->chunk, 0, size};
    arena->chunk = chunk;
  }
  void *taken = chunk->bytes + chunk->used;
  chunk->used += n;
  return taken;
}

static void drop(struct arena *arena) {
  for (struct chunk *next; arena->chunk; arena->chunk = next) next = arena->chunk->next, free(arena->chunk);
}

struct node {
  unsigned key;
  const char *name;
  struct node *left, *right;
};

static const char *copy(struct arena *arena, const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(take(arena, size), text, size);
}

static void insert(struct arena *arena, struct node **at, unsigned key, const char *name) {
  while (*at) {
    if ((*at)->key == key) return;
    at = key < (*at)->key ? &(*at)->left : &(*at)->right;
  }
  struct node *node = *at = take(arena, sizeof *node);
  node->key = key, node->name = copy(arena, name), node->left = node->right = NULL;
}

static unsigned long walk(const struct node *node, int depth) {
  if (!node) return 0;
  return walk(node->left, depth + 1) + (unsigned long)depth * (unsigned char)node->name[0] + walk(node->right, depth + 1);
}

int main(void) {
  static const char *names[] = {"north", "east-south-east", "west", "s", "zenith of all"};
  unsigned long total = 0;
  for (int round = 0; round < 150; round++) {
    struct arena arena = {0};
    struct node *root = NULL;
    for (int i = 0; i < 8000; i++) insert(&arena, &root, next_random(), names[i % 5]);
    total += walk(root, 0);
    drop(&arena);
  }
  printf("%lu\n", total);
  return 0;
}
