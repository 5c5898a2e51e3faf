/* The errors of the table in README.md, one for each argument; without arguments nothing happens. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int sink;

/* The block is freed and allocated again, after more than the quarantines of other tools hold. */
static void reused(void) {
  int *stale = calloc(1, 1000);
  uintptr_t address = (uintptr_t)stale;
  free(stale);
  int *fresh = NULL;
  for (int i = 0; i < 600000 && (uintptr_t)fresh != address; i++) {
    free(fresh);
    fresh = calloc(1, 1000);
  }
  sink = *stale;
  free(fresh);
}

/* From one block into another that is alive, whatever lies between them. */
static void far_away(void) {
  char *first = calloc(1, 64), *second = calloc(1, 64);
  volatile ptrdiff_t distance = second - first;
  first[distance] = 1;
  free(first);
  free(second);
}

static void inside_structure(void) {
  struct {
    char name[4], flags[8];
  } *entry = calloc(1, sizeof *entry);
  const char *volatile text = "longer";
  strcpy(entry->name, text);
  free(entry);
}

static void after_scope(void) {
  int *volatile stale = NULL;
  {
    int local = 1;
    stale = &local;
  }
  sink = *stale;
}

static int *local_of_function(void) {
  int local = 1;
  int *volatile escaped = &local;
  return escaped;
}

static void after_return(void) {
  int *stale = local_of_function();
  sink = *stale;
}

static void uninitialized(void) {
  int *block = malloc(4 * sizeof *block);
  if (block[2] > 0) sink = 1;
  free(block);
}

static void leaked(void) {
  for (int i = 0; i < 9; i++) *(char *)malloc(10) = 1;
}

int main(int argc, char **argv) {
  static void (*const rows[])(void) = {
      reused, far_away, inside_structure, after_scope, after_return, uninitialized, leaked,
  };
  if (argc == 2) rows[atoi(argv[1])]();
  return 0;
}
