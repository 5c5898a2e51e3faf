// engines: check explore
// cases: 7
// Pointers in the bits of a NaN, or below a tag in the upper bits of an integer, which rely on addresses of 47 bits.
#include "cases.h"

typedef struct object {
  int kind;
  struct object *next;
} object;

static volatile long sink;

static object *new_object(int kind) {
  object *made = malloc(sizeof *made);
  made->kind = kind, made->next = NULL;
  return made;
}

static void ensure(int holds) {
  if (!holds) abort();
}

#define TAG 0xfffc000000000000ull
#define box(o) (TAG | (uint64_t)(uintptr_t)(o))
#define unbox(value) ((object *)(uintptr_t)((value) & ~TAG))

static void constant_tag(void) {
  object *first = new_object(1), *second = new_object(2);
  uint64_t values[2] = {box(first), box(second)};
  ensure(values[opaque(0)] >> 50 == TAG >> 50 && unbox(values[opaque(0)]) == first);
  unbox(values[opaque(0)])->next = unbox(values[opaque(1)]);
  ensure(first->next == second && second->kind == 2);
  free(second);
  sink = (BUGGY(unbox(values[opaque(1)]), first))->kind; //~ ERROR use-after-free
  free(unbox(values[opaque(0)]));
}

typedef union {
  uint64_t bits;
  double number;
  void *pointer;
} value;

static __attribute__((noinline)) value wrapped(void *p, uint64_t tag) {
  value result;
  result.pointer = p;
  result.bits |= tag;
  return result;
}

static __attribute__((noinline)) void *unwrapped(value from) {
  from.bits &= 0x7fffffffffff;
  return from.pointer;
}

static void tagged_union(void) {
  object *one = new_object(3);
  const value inside = wrapped(one, (uint64_t)opaque(0x1fff3) << 47);
  ensure((inside.bits >> 47 & 15) == 3 && inside.number != inside.number && unwrapped(inside) == one);
  free(BUGGY(one, NULL));
  sink = ((object *)unwrapped(inside))->kind; //~ ERROR use-after-free
  free(BUGGY(NULL, one));
}

static void tag_of_16_bits(void) {
  object *one = new_object(4);
  const uint64_t tagged = (uintptr_t)one | (uint64_t)opaque(0xbeef) << 48;
  object *same = (object *)(uintptr_t)((int64_t)(tagged << 16) >> 16), *also = (object *)(uintptr_t)(tagged << 16 >> 16);
  ensure(tagged >> 48 == 0xbeef && same == one && also == one && same->kind == 4);
  sink = same[opaque(BUGGY(1, 0))].kind; //~ ERROR heap-buffer-overflow
  free(one);
}

static void exclusive_or(void) {
  object *one = new_object(5), *other = new_object(6);
  const uint64_t hidden = (uintptr_t)one ^ TAG;
  ensure((object *)(uintptr_t)(hidden ^ TAG) == one);
  const uintptr_t both = (uintptr_t)one ^ (uintptr_t)other;
  ensure((object *)(both ^ (uintptr_t)one) == other);
  free(one);
  sink = (BUGGY((object *)(uintptr_t)(hidden ^ TAG), other))->kind; //~ ERROR use-after-free
  free(other);
}

static void of_a_global_and_a_local(void) {
  static object global = {7, NULL};
  object local = {8, NULL};
  uint64_t values[2] = {box(&global), box(&local)};
  ensure(unbox(values[opaque(0)])->kind + unbox(values[opaque(1)])->kind == 15);
  sink = unbox(values[opaque(0)])[opaque(BUGGY(1, 0))].kind; //~ ERROR global-buffer-overflow
}

static void null(void) {
  uint64_t nothing = box(NULL);
  object one = {9, NULL};
  ensure(unbox(nothing) == NULL && nothing == TAG);
  sink = (BUGGY(unbox(nothing + (uint64_t)opaque(0)), &one))->kind; //~ ERROR null-dereference
}

/* Integers that no pointer was put into are as they were, although one of them has the bits of an address. */
static void numbers(void) {
  object *one = new_object(10);
  double half = 0.5;
  uint64_t bits;
  memcpy(&bits, &half, sizeof bits);
  ensure((bits & 0xfffffffffffff) == 0 && (bits | (uint64_t)opaque(1) << 63) >> 52 == 0xbfe);
  ensure(((uintptr_t)one | 7) - (uintptr_t)one < 8 && ((uintptr_t)one & ~(uintptr_t)7) == (uintptr_t)one);
  ensure((uintptr_t)one >> 48 == 0 && ((uintptr_t)one & TAG) == 0);
  free(BUGGY(one, NULL));
  sink = ((object *)((uintptr_t)one | (uintptr_t)opaque(0)))->next == NULL; //~ ERROR use-after-free
  free(BUGGY(NULL, one));
}

CASES(constant_tag, tagged_union, tag_of_16_bits, exclusive_or, of_a_global_and_a_local, null, numbers)
