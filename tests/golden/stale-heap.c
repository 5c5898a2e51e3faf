// engines: check
// cases: 12
// Accesses through pointers to freed blocks, also after their memory was reused.
#include "cases.h"

static volatile int sink;

static int *one(int value) {
  int *block = malloc(sizeof *block);
  if (block == NULL) exit(1);
  *block = value;
  return block;
}

static void read_after_free(void) {
  int *p = one(1);
  BUGGY(free(p), );
  sink = *p; //~ ERROR use-after-free
  BUGGY(, free(p));
}

static void write_after_free(void) {
  int *p = one(1);
  BUGGY(free(p), );
  *p = 2; //~ ERROR use-after-free
  BUGGY(, free(p));
}

static void after_reuse(void) {
  int *p = one(1), *alias = p;
  free(p);
  p = one(2);
  sink = *BUGGY(alias, p); //~ ERROR use-after-free
  free(p);
}

static void after_many_reuses(void) {
  int *p = one(0), *alias = p;
  for (int i = 1; i < 5000; i++) {
    free(p);
    p = one(i);
  }
  *BUGGY(alias, p) = 1; //~ ERROR use-after-free
  free(p);
}

static void after_more_than_any_quarantine(void) {
  int *p = one(0);
  BUGGY(free(p), );
  for (int i = 0; i < 40; i++) free(malloc(1 << 20));
  int *others[64];
  for (int i = 0; i < 64; i++) others[i] = one(i);
  sink = *p; //~ ERROR use-after-free
  for (int i = 0; i < 64; i++) free(others[i]);
  BUGGY(, free(p));
}

static void inside_of_the_library(void) {
  char *text = strdup("gone");
  BUGGY(free(text), );
  puts(text); //~ ERROR use-after-free
  BUGGY(, free(text));
}

static void moved_by_realloc(void) {
  int *old = calloc(4, sizeof *old);
  int *grown = realloc(old, 4000 * sizeof *grown);
  if (grown == NULL) exit(1);
  sink = *BUGGY(old, grown); //~ ERROR use-after-free
  free(grown);
}

static void shrunk_by_realloc(void) {
  int *old = calloc(40, sizeof *old);
  int *less = realloc(old, 4 * sizeof *less);
  if (less == NULL) exit(1);
  sink = less[opaque(BUGGY(4, 3))]; //~ ERROR heap-buffer-overflow
  free(less);
}

static void alias_after_realloc_in_place(void) {
  int *old = calloc(4, sizeof *old), *alias = old;
  int *same = realloc(old, 4 * sizeof *same);
  if (same == NULL) exit(1);
  sink = *BUGGY(alias, same); //~ ERROR use-after-free
  free(same);
}

struct node {
  struct node *next;
  int value;
};

static void list_freed_while_walked(void) {
  struct node *list = NULL;
  for (int i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    if (node == NULL) exit(1);
    *node = (struct node){list, i};
    list = node;
  }
  for (struct node *node = list, *next; node != NULL; node = next) {
    next = node->next;
    BUGGY(free(node), );
    sink = node->value; //~ ERROR use-after-free
    BUGGY(, free(node));
  }
}

static void line_after_the_buffer_is_gone(void) {
  char *buffer = malloc(16), *word;
  strcpy(buffer, "one two");
  word = strchr(buffer, ' ') + 1;
  BUGGY(free(buffer), );
  sink = (int)strlen(word); //~ ERROR use-after-free
  BUGGY(, free(buffer));
}

static void same_block_twice_in_a_table(void) {
  int *table[2] = {one(1), one(2)};
  BUGGY((free(table[1]), table[1] = table[0]), );
  free(table[0]);
  sink = *table[1]; //~ ERROR use-after-free
  BUGGY(, free(table[1]));
}

CASES(read_after_free, write_after_free, after_reuse, after_many_reuses, after_more_than_any_quarantine, inside_of_the_library,
      moved_by_realloc, shrunk_by_realloc, alias_after_realloc_in_place, list_freed_while_walked,
      line_after_the_buffer_is_gone, same_block_twice_in_a_table)
