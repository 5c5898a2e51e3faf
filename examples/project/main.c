#include <stdio.h>
#include <stdlib.h>

#include "stack.h"

int main(int argc, char **argv) {
  int *stack = stack_new(3);
  for (int i = 1; i < argc; i++) stack_push(stack, atoi(argv[i]));
  printf("%d\n", stack_sum(stack));
  free(stack);
  return 0;
}
