// engines: check explore
// cases: 3
// Structures, unions and small numbers among variable arguments: each is followed by a number, which is found only if the
// structure before it took the room that it was given.
#include "cases.h"

#include <stdarg.h>

static volatile long sink;

#define SIZED(n) struct sized_##n { char c[n]; };
SIZED(1) SIZED(2) SIZED(3) SIZED(4) SIZED(5) SIZED(6) SIZED(7) SIZED(8) SIZED(9) SIZED(10)
SIZED(11) SIZED(12) SIZED(13) SIZED(14) SIZED(15) SIZED(16) SIZED(17) SIZED(18) SIZED(19) SIZED(20)
SIZED(21) SIZED(22) SIZED(23) SIZED(24) SIZED(25) SIZED(26) SIZED(27) SIZED(28) SIZED(29) SIZED(30)
SIZED(31) SIZED(32) SIZED(33) SIZED(34) SIZED(35) SIZED(36) SIZED(37) SIZED(38) SIZED(39) SIZED(40)

struct a_char { char c; };
struct a_bool { _Bool b; };
struct a_short { short s; };
struct an_int { int i; };
struct a_long { long l; };
struct a_float { float f; };
struct a_double { double d; };
struct a_long_double { long double d; };
struct a_pointer { char *p; };
struct nested { struct { struct { short s; } inner; } outer; };
struct bits { unsigned a : 3, b : 7; };
struct wide_bits { unsigned long a : 40; };
struct two_floats { float a, b; };
struct mixed { char c; double d; };
struct empty {};
struct wide { __int128 w; };
struct packed { char c; int i; } __attribute__((packed));
struct aligned { char c; } __attribute__((aligned(16)));
struct flexible { int n; char tail[]; };
union small { char c; short s; };
union number { int i; double d; };
enum color { RED, GREEN = 300 };

/* Fills an object with bytes, so that each byte is looked at. */
static void fill(void *object, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) ((unsigned char *)object)[i] = (unsigned char)(i * 7 + bytes) & 1;
}
static int same(const void *a, const void *b, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (((const char *)a)[i] != ((const char *)b)[i]) return 0;
  return 1;
}

/* Three of a type, with numbers in between, and what is missing: 0 when all is as it was passed. */
#define PASSES(type, name) PASSES_BYTES(type, name, sizeof(type))
/* `bytes` are those that are not padding. */
#define PASSES_BYTES(type, name, bytes)                                                                 \
  static int takes_##name(int count, ...) {                                                             \
    va_list list;                                                                                       \
    int wrong = 0;                                                                                      \
    type expected;                                                                                      \
    memset(&expected, 0, sizeof expected);                                                              \
    fill(&expected, bytes);                                                                             \
    va_start(list, count);                                                                              \
    for (int i = 0; i < count; i++) {                                                                   \
      type got = va_arg(list, type);                                                                    \
      wrong += !same(&got, &expected, bytes);                                                           \
    }                                                                                                   \
    wrong += va_arg(list, long) != 123;                                                                 \
    type last = va_arg(list, type);                                                                     \
    wrong += !same(&last, &expected, bytes);                                                            \
    wrong += va_arg(list, int) != 45;                                                                   \
    va_end(list);                                                                                       \
    return wrong;                                                                                       \
  }                                                                                                     \
  static int passes_##name(void) {                                                                      \
    type value;                                                                                         \
    memset(&value, 0, sizeof value);                                                                    \
    fill(&value, bytes);                                                                                \
    return takes_##name(3, value, value, value, 123l, value, 45) + takes_##name(0, 123l, value, 45);    \
  }
#define PASSES_SIZED(n) PASSES(struct sized_##n, sized_##n)
PASSES_SIZED(1) PASSES_SIZED(2) PASSES_SIZED(3) PASSES_SIZED(4) PASSES_SIZED(5) PASSES_SIZED(6) PASSES_SIZED(7) PASSES_SIZED(8)
PASSES_SIZED(9) PASSES_SIZED(12) PASSES_SIZED(15) PASSES_SIZED(16) PASSES_SIZED(17) PASSES_SIZED(24) PASSES_SIZED(31)
PASSES_SIZED(32) PASSES_SIZED(33) PASSES_SIZED(40)
PASSES(struct a_char, a_char) PASSES(struct a_bool, a_bool) PASSES(struct a_short, a_short) PASSES(struct an_int, an_int)
PASSES(struct a_long, a_long) PASSES(struct a_float, a_float) PASSES(struct a_double, a_double)
PASSES_BYTES(struct a_long_double, a_long_double, 8) PASSES(struct a_pointer, a_pointer) PASSES(struct nested, nested)
PASSES(struct two_floats, two_floats) PASSES_BYTES(struct mixed, mixed, 1) PASSES(struct empty, empty) PASSES(struct wide, wide)
PASSES(struct packed, packed) PASSES_BYTES(struct aligned, aligned, 1) PASSES(struct flexible, flexible)
PASSES(union small, small) PASSES(union number, number) PASSES(__int128, int128) PASSES_BYTES(long double, long_double, 8)
PASSES(void *, pointer) PASSES(unsigned, unsigned_int)

static int takes_bits(int count, ...) {
  va_list list;
  va_start(list, count);
  struct bits a = va_arg(list, struct bits);
  struct wide_bits b = va_arg(list, struct wide_bits);
  enum color color = va_arg(list, enum color);
  int wrong = a.a != 5 || a.b != 100 || b.a != 1l << 39 || color != GREEN || va_arg(list, int) != 45;
  va_end(list);
  return wrong;
}
static int passes_bits(void) {
  return takes_bits(1, (struct bits){5, 100}, (struct wide_bits){1l << 39}, GREEN, 45);
}

static void all_arrive(void) {
#define SUM(name) +passes_##name()
  int wrong = 0 SUM(sized_1) SUM(sized_2) SUM(sized_3) SUM(sized_4) SUM(sized_5) SUM(sized_6) SUM(sized_7) SUM(sized_8) SUM(sized_9)
      SUM(sized_12) SUM(sized_15) SUM(sized_16) SUM(sized_17) SUM(sized_24) SUM(sized_31) SUM(sized_32) SUM(sized_33) SUM(sized_40)
      SUM(a_char) SUM(a_bool) SUM(a_short) SUM(an_int) SUM(a_long) SUM(a_float) SUM(a_double) SUM(a_long_double) SUM(a_pointer)
      SUM(nested) SUM(two_floats) SUM(mixed) SUM(empty) SUM(wide) SUM(packed) SUM(aligned) SUM(flexible) SUM(small) SUM(number)
      SUM(int128) SUM(long_double) SUM(pointer) SUM(unsigned_int) SUM(bits);
  static int array[1] = {1};
  sink = array[BUGGY(wrong + 1, wrong)]; //~ ERROR global-buffer-overflow
  if (wrong) sink = *(volatile int *)0;
}

static int sum_of_tiny(int count, ...) {
  va_list list;
  int sum = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) sum += va_arg(list, struct a_short).s; //~ ERROR stack-buffer-overflow
  va_end(list);
  return sum;
}
static void one_too_many(void) {
  struct a_short one = {1};
  sink = sum_of_tiny(BUGGY(3, 2), one, one);
}

static int sum_of_chars(int count, ...) {
  va_list list;
  int sum = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) sum += va_arg(list, struct a_char).c; //~ ERROR stack-buffer-overflow
  va_end(list);
  return sum;
}
static void one_char_too_many(void) {
  struct a_char one = {1};
  sink = sum_of_chars(BUGGY(2, 1), one);
}

CASES(all_arrive, one_too_many, one_char_too_many)
