// engines: check explore
// cases: 4
/*
 * Objects whose text needs care: blocks that the library allocates for the program, leaks of one
 * place with several stacks, and locals that are no variables.
 */
#include "cases.h"
#include <alloca.h>

static volatile int sink;

static void copied_by_the_library(void) {
  char *copy = strdup("ab"), *rest = copy + 1;
  BUGGY(free(copy), );
  sink = *rest; //~ ERROR use-after-free
  BUGGY(, free(copy));
}

static int by_copy(const void *a, const void *b) {
  char *copy = strdup(a); //~ ERROR memory-leak
  int order = copy[0] - *(const char *)b;
  BUGGY(, free(copy));
  return order;
}

static void in_a_function_that_the_library_calls(void) {
  char text[] = "cba";
  qsort(text, 3, 1, by_copy);
  sink = text[0];
}

struct list {
  struct list *next;
};

/* A leak is one error, however deep the recursion is that allocates its blocks. */
static struct list *of_length(int n) {
  if (n == 0) return NULL;
  struct list *first = malloc(sizeof *first), *rest = of_length(n - 1); //~ ERROR memory-leak
  first->next = BUGGY(NULL, rest);
  return first;
}

static void in_a_recursion(void) {
  struct list *list = of_length(4);
  while (list != NULL) {
    struct list *next = list->next;
    free(list);
    list = next;
  }
}


static void in_memory_of_alloca(void) {
  char *memory = alloca(opaque(8));
  memory[BUGGY(opaque(8), 7)] = 1; //~ ERROR stack-buffer-overflow
}

CASES(copied_by_the_library, in_a_function_that_the_library_calls, in_a_recursion, in_memory_of_alloca)
