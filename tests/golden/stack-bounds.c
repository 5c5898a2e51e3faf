// engines: check
// cases: 13
// Outside a local: arrays, structures, VLAs, alloca, arguments passed by value.
#include <alloca.h>
#include <stdarg.h>

#include "cases.h"

static void just_after(void) {
  int a[4] = {0};
  a[opaque(BUGGY(4, 3))] = 1; //~ ERROR stack-buffer-overflow
}

static void just_before(void) {
  int a[4] = {0};
  a[opaque(BUGGY(-1, 0))] = 1; //~ ERROR stack-buffer-overflow
}

static void into_another_local(void) {
  char a[32] = {0}, b[32] = {0};
  char *p = a;
  p[BUGGY(distance(p, b), 0)] = 1; //~ ERROR stack-buffer-overflow
}

static void known_index(void) {
  char a[5] = {0};
  int *p = (int *)a;
  p[BUGGY(1, 0)] = 1; //~ ERROR stack-buffer-overflow
}

static void single_variable(void) {
  int x = 0;
  int *p = &x;
  p[opaque(BUGGY(1, 0))] = 1; //~ ERROR stack-buffer-overflow
}

static void vla(void) {
  long n = opaque(9);
  char a[n];
  memset(a, 0, (size_t)n);
  a[n - BUGGY(0, 1)] = 1; //~ ERROR stack-buffer-overflow
}

static void allocated_on_the_stack(void) {
  char *a = alloca((size_t)opaque(24));
  a[opaque(BUGGY(-1, 0))] = 1; //~ ERROR stack-buffer-overflow
}

struct passed {
  int head, items[5];
};

__attribute__((noinline)) static int sum(struct passed one, long n) {
  int total = 0;
  for (long i = 0; i < n; i++) total += one.items[i]; //~ ERROR stack-buffer-overflow
  return total;
}

static void passed_by_value(void) {
  struct passed one = {0};
  sum(one, opaque(BUGGY(6, 5)));
}

static void two_dimensions(void) {
  char grid[3][7] = {{0}};
  char(*row)[7] = grid;
  row[opaque(BUGGY(3, 2))][0] = 1; //~ ERROR stack-buffer-overflow
}

static void compound_literal(void) {
  int *p = (int[]){1, 2, 3};
  p[opaque(BUGGY(3, 2))]++; //~ ERROR stack-buffer-overflow
}

static void next_row(void) {
  char grid[3][7] = {{0}};
  grid[1][opaque(BUGGY(7, 6))] = 1; //~ ERROR stack-buffer-overflow
}

static void into_the_next_member(void) {
  struct {
    int items[2], total;
  } list = {{1, 2}, 3};
  for (long i = 0; i < opaque(BUGGY(3, 2)); i++) list.total += list.items[i]; //~ ERROR stack-buffer-overflow
}

__attribute__((noinline)) static int sum_of_rest(long n, ...) {
  va_list rest;
  va_start(rest, n);
  struct passed one = va_arg(rest, struct passed);
  int *end = va_arg(rest, int *);
  va_end(rest);
  for (long i = 0; i < n; i++) *end += one.items[i]; //~ ERROR stack-buffer-overflow
  return *end;
}

static void structure_among_variable_arguments(void) {
  struct passed one = {0};
  int total = 0;
  sum_of_rest(opaque(BUGGY(6, 5)), one, &total);
}

CASES(just_after, just_before, into_another_local, known_index, single_variable, vla, allocated_on_the_stack, passed_by_value,
      two_dimensions, compound_literal,
      next_row, into_the_next_member, structure_among_variable_arguments)
