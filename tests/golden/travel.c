// engines: check
// cases: 21
// However a stale pointer travels, it stays stale (rules R1 to R6 of the temporal-errors paper, and the ways that it gives up on).
#include <stdarg.h>

#include "cases.h"

static volatile int sink;

/* Two pointers with the same address: the block of the first is gone, the second lives there. The fixed twin uses the second. */
static int *stale, *live;

static int *begin(void) {
  stale = calloc(4, sizeof *stale);
  free(stale);
  for (int i = 0; i < 3000; i++) free(calloc(4, sizeof *live));
  live = calloc(4, sizeof *live);
  return BUGGY(stale, live);
}

static void end(void) { free(live); }

static void r1_arithmetic(void) {
  int *p = begin(), *q = p + 3;
  q -= 2;
  q++;
  sink = q[-1]; //~ ERROR use-after-free
  end();
}

static void r2_address_of(void) {
  int *p = begin(), *q = &p[2];
  sink = *q; //~ ERROR use-after-free
  end();
}

struct pair {
  int first, second;
};

static void r2_address_of_a_field(void) {
  struct pair *pair = (struct pair *)begin();
  int *q = &pair->second;
  *q = 1; //~ ERROR use-after-free
  end();
}

static void r3_through_an_integer(void) {
  uintptr_t bits = (uintptr_t)begin();
  bits += sizeof(int);
  int *q = (int *)bits;
  sink = *q; //~ ERROR use-after-free
  end();
}

struct holder {
  char name[3];
  int *p;
  struct holder *self;
};

static void r4_structure_copy(void) {
  struct holder a = {"a", begin(), NULL}, b, c;
  b = a;
  c = b;
  sink = *c.p; //~ ERROR use-after-free
  end();
}

static void r4_array_of_pointers(void) {
  int *table[5];
  for (int i = 0; i < 5; i++) table[i] = i ? table[i - 1] : begin();
  sink = *table[opaque(4)]; //~ ERROR use-after-free
  end();
}

static void r4_union(void) {
  union {
    int *p;
    unsigned long word;
    unsigned char bytes[8];
  } from = {begin()}, to;
  for (int i = 0; i < 8; i++) to.bytes[i] = from.bytes[i];
  sink = *to.p; //~ ERROR use-after-free
  end();
}

static void r5_argument_of_the_library(void) {
  char *text = (char *)begin();
  sink = (int)strlen(text); //~ ERROR use-after-free
  end();
}

static void r5_result_of_the_library(void) {
  int *p = begin();
  char *rest;
  strtol((char *)live, &rest, 10);
  int **place = (int **)memset(malloc(sizeof p), 0, sizeof p);
  memcpy(place, &p, sizeof p);
  int **found = memchr(place, ((unsigned char *)&p)[0], 1);
  sink = **found + *rest; //~ ERROR use-after-free
  free(place);
  end();
}

__attribute__((noinline)) static int reads(const int *p) {
  return *p; //~ ERROR use-after-free
}

static void r6_argument(void) {
  sink = reads(begin());
  end();
}

__attribute__((noinline)) static int *same(int *p) { return p; }

static void r6_return_value(void) {
  int *q = same(same(begin()));
  sink = *q; //~ ERROR use-after-free
  end();
}

static void r6_function_pointer(void) {
  int *(*function)(int *) = opaque(1) ? same : NULL;
  int *q = function(begin());
  sink = *q; //~ ERROR use-after-free
  end();
}

static int variadic(int count, ...) {
  va_list list, copy;
  va_start(list, count);
  va_copy(copy, list);
  int total = 0;
  for (int i = 0; i < count; i++) total += *va_arg(copy, int *); //~ ERROR use-after-free
  va_end(copy);
  va_end(list);
  return total;
}

static void r6_variadic(void) {
  int *p = begin();
  sink = variadic(2, live, p);
  end();
}

static struct holder by_value(struct holder one) {
  one.self = NULL;
  return one;
}

static void r6_structure_by_value(void) {
  struct holder one = {"b", begin(), NULL};
  sink = *by_value(one).p; //~ ERROR use-after-free
  end();
}

static void copied_by_memcpy(void) {
  int *p = begin(), *q, *table[4];
  memcpy(&q, &p, sizeof q);
  table[0] = q;
  memmove(table + 1, table, 3 * sizeof *table);
  sink = *table[1]; //~ ERROR use-after-free
  end();
}

static void copied_byte_by_byte(void) {
  int *p = begin(), *q;
  for (size_t i = 0; i < sizeof q; i++) ((char *)&q)[i] = ((char *)&p)[i];
  sink = *q; //~ ERROR use-after-free
  end();
}

static void xor_list(void) {
  int *p = begin(), other = 0;
  uintptr_t link = (uintptr_t)p ^ (uintptr_t)&other;
  int *back = (int *)(link ^ (uintptr_t)&other);
  sink = *back; //~ ERROR use-after-free
  end();
}

static void flag_bits(void) {
  uintptr_t tagged = (uintptr_t)begin() | 5;
  int *q = (int *)(tagged & ~(uintptr_t)7);
  sink = tagged & 1 ? *q : 0; //~ ERROR use-after-free
  end();
}

static int by_address(const void *a, const void *b) {
  uintptr_t x = (uintptr_t) * (int *const *)a, y = (uintptr_t) * (int *const *)b;
  return (x > y) - (x < y);
}

static void sorted(void) {
  int far = 0, near = 0, *table[3];
  table[0] = &far, table[1] = begin(), table[2] = &near;
  qsort(table, 3, sizeof *table, by_address);
  int total = 0;
  for (int i = 0; i < 3; i++) total += *table[i]; //~ ERROR use-after-free
  sink = total;
  end();
}

static void through_the_heap(void) {
  struct holder *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  *a = (struct holder){"c", begin(), b};
  *b = *a;
  a = realloc(a, 10 * sizeof *a);
  sink = *a->p; //~ ERROR use-after-free
  free(a), free(b);
  end();
}

static int *volatile kept;

static void through_volatile_and_select(void) {
  int other = 1;
  kept = begin();
  int *q = opaque(1) ? kept : &other;
  sink = *q; //~ ERROR use-after-free
  end();
}

CASES(r1_arithmetic, r2_address_of, r2_address_of_a_field, r3_through_an_integer, r4_structure_copy, r4_array_of_pointers,
      r4_union, r5_argument_of_the_library, r5_result_of_the_library, r6_argument, r6_return_value, r6_function_pointer, r6_variadic,
      r6_structure_by_value, copied_by_memcpy, copied_byte_by_byte, xor_list, flag_bits, sorted, through_the_heap,
      through_volatile_and_select)
