#include "stack.h"

#include <stdlib.h>

int *stack_new(int room) {
  int *stack = malloc((room + 1) * sizeof *stack);
  stack[0] = 0;
  return stack;
}

void stack_push(int *stack, int value) {
  stack[++stack[0]] = value;
}

int stack_sum(const int *stack) {
  int sum = 0;
  for (int i = 1; i <= stack[0]; i++) sum += stack[i];
  return sum;
}
