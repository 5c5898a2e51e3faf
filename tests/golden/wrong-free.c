// engines: check
// cases: 12
// What must not be given to free and realloc.
#include "cases.h"

static int global;

static void twice(void) {
  char *p = malloc(8);
  free(p);
  BUGGY(free(p), ); //~ ERROR double-free
}

static void twice_after_reuse(void) {
  char *p = malloc(8), *alias = p;
  free(p);
  for (int i = 0; i < 1000; i++) p = malloc(8), free(p);
  p = malloc(8);
  BUGGY(free(alias), ); //~ ERROR double-free
  free(p);
}

static void inside_of_a_block(void) {
  char *p = malloc(64);
  BUGGY(free(p + 16), ); //~ ERROR invalid-free
  free(p);
}

static void before_a_block(void) {
  char *p = malloc(64);
  BUGGY(free(p - 16), ); //~ ERROR invalid-free
  free(p);
}

static void a_local(void) {
  char local[16] = {0};
  char *p = BUGGY(local, NULL);
  free(p); //~ ERROR invalid-free
  opaque(local[0]);
}

static void a_global(void) {
  void *p = BUGGY(&global, NULL);
  free(p); //~ ERROR invalid-free
}

static void a_constant(void) {
  void *p = BUGGY("text", NULL);
  free(p); //~ ERROR invalid-free
}

static void a_wild_pointer(void) {
  void *p = (void *)opaque(BUGGY(0x3000000, 0));
  free(p); //~ ERROR invalid-free
}

static void realloc_of_a_freed_block(void) {
  char *p = malloc(8);
  BUGGY(free(p), );
  p = realloc(p, 16); //~ ERROR double-free
  free(p);
}

static void realloc_of_the_inside(void) {
  char *p = malloc(64);
  char *q = realloc(p + BUGGY(16, 0), 128); //~ ERROR invalid-free
  free(BUGGY(p, q));
}

static void free_after_realloc(void) {
  char *p = malloc(8);
  char *q = realloc(p, 8);
  free(q);
  BUGGY(free(p), ); //~ ERROR double-free
}

static void a_function(void) {
  void *p = BUGGY((void *)a_global, NULL);
  free(p); //~ ERROR invalid-free
}

CASES(twice, twice_after_reuse, inside_of_a_block, before_a_block, a_local, a_global, a_constant, a_wild_pointer,
      realloc_of_a_freed_block, realloc_of_the_inside, free_after_realloc, a_function)
