/*
 * Integers of any size, for terms of annotations whose bounds are unknown; the arena that holds
 * them; and the values that are captured for `\at`.
 *
 *   small:  2n + 1                     n fits in 63 bits
 *   large:  address of { int negative; u32 length; u32 limb[length]; }, least limb first, the last one not 0
 *
 * Numbers are immutable and never freed one by one: woven code resets the arena when an annotation,
 * or the call that captured values, is over.
 */
#include "../acsl/acsl.h"

#include "shadow.h"

#define ARENA_START 0xe0000000u
#define ARENA_END 0xe7e00000u
/* A product of this many limbs is certainly a mistake in the annotation. */
#define MOST_LIMBS 0x10000u

u32 __rz_arena_top = ARENA_START;

typedef __int128 i128;
typedef unsigned __int128 u128;

/* Allocates 16-aligned memory in the arena. Traps when the arena is full. */
static u32 take(u64 bytes) {
  u64 at = (__rz_arena_top + 15u) & ~15u;
  if (at + bytes > ARENA_END) __builtin_trap();
  __rz_arena_top = (u32)(at + bytes);
  return (u32)at;
}

struct number {
  int negative;
  u32 length;
  u32 limb[];
};

/* A number of either kind, decoded. */
struct view {
  int negative;
  u32 length;
  const u32 *limb;
  u32 own[2];
};

static void look(__rz_big big, struct view *v) {
  if (big & 1) {
    long n = big >> 1;
    u64 size = n < 0 ? -(u64)n : (u64)n;
    v->negative = n < 0;
    v->own[0] = (u32)size, v->own[1] = (u32)(size >> 32);
    v->length = v->own[1] ? 2 : v->own[0] ? 1 : 0;
    v->limb = v->own;
  } else {
    const struct number *number = raw((u32)big);
    v->negative = number->negative, v->length = number->length, v->limb = number->limb;
  }
}

static struct number *make(u32 length) {
  if (length > MOST_LIMBS) __builtin_trap();
  struct number *number = raw(take(sizeof *number + (u64)length * 4));
  number->negative = 0, number->length = length;
  __builtin_memset(number->limb, 0, (u64)length * 4);
  return number;
}

/* Normalizes a number that was just made. */
static __rz_big done(struct number *n, int negative) {
  while (n->length && n->limb[n->length - 1] == 0) n->length--;
  n->negative = negative && n->length;
  if (n->length <= 2) {
    u64 size = (n->length > 1 ? (u64)n->limb[1] << 32 : 0) | (n->length ? n->limb[0] : 0);
    if (size < 1ul << 62) return (negative ? -(long)size : (long)size) * 2 + 1;
  }
  return (long)(u64)n;
}

static int compare_sizes(const struct view *a, const struct view *b) {
  if (a->length != b->length) return a->length < b->length ? -1 : 1;
  for (u32 i = a->length; i-- > 0;)
    if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
  return 0;
}

static struct number *add_sizes(const struct view *a, const struct view *b) {
  const struct view *longer = a->length < b->length ? b : a, *shorter = a->length < b->length ? a : b;
  struct number *sum = make(longer->length + 1);
  u64 carry = 0;
  for (u32 i = 0; i < longer->length; i++) {
    carry += (u64)longer->limb[i] + (i < shorter->length ? shorter->limb[i] : 0);
    sum->limb[i] = (u32)carry, carry >>= 32;
  }
  sum->limb[longer->length] = (u32)carry;
  return sum;
}

/* Requires a to be at least b. */
static struct number *subtract_sizes(const struct view *a, const struct view *b) {
  struct number *difference = make(a->length);
  long borrow = 0;
  for (u32 i = 0; i < a->length; i++) {
    long d = (long)a->limb[i] - (i < b->length ? (long)b->limb[i] : 0) + borrow;
    difference->limb[i] = (u32)d, borrow = d < 0 ? -1 : 0;
  }
  return difference;
}

static __rz_big add(struct view *a, struct view *b) {
  if (a->negative == b->negative) return done(add_sizes(a, b), a->negative);
  int order = compare_sizes(a, b);
  return order >= 0 ? done(subtract_sizes(a, b), a->negative) : done(subtract_sizes(b, a), b->negative);
}

static __rz_big of_size(u128 size, int negative) {
  struct number *made = make(4);
  for (u32 i = 0; i < 4; i++) made->limb[i] = (u32)(size >> (32 * i));
  return done(made, negative);
}

__rz_big __rz_big_of(i128 n) {
  if (n >= -((i128)1 << 61) && n < (i128)1 << 61) return (long)n * 2 + 1;
  return of_size(n < 0 ? -(u128)n : (u128)n, n < 0);
}

__rz_big __rz_big_of_unsigned(u128 n) { return n >> 126 ? of_size(n, 0) : __rz_big_of((i128)n); }

__rz_big __rz_big_of_text(const char *digits) {
  __rz_big value = 1, ten = 21;
  for (; *digits; digits++) value = __rz_big_add(__rz_big_multiply(value, ten), (long)(*digits - '0') * 2 + 1);
  return value;
}

__rz_big __rz_big_add(__rz_big left, __rz_big right) {
  if (left & right & 1) return __rz_big_of((i128)(left >> 1) + (right >> 1));
  struct view a, b;
  look(left, &a), look(right, &b);
  return add(&a, &b);
}

__rz_big __rz_big_subtract(__rz_big left, __rz_big right) {
  if (left & right & 1) return __rz_big_of((i128)(left >> 1) - (right >> 1));
  struct view a, b;
  look(left, &a), look(right, &b);
  b.negative = !b.negative;
  return add(&a, &b);
}

__rz_big __rz_big_multiply(__rz_big left, __rz_big right) {
  if (left & right & 1) return __rz_big_of((i128)(left >> 1) * (right >> 1));
  struct view a, b;
  look(left, &a), look(right, &b);
  struct number *product = make(a.length + b.length);
  for (u32 i = 0; i < a.length; i++) {
    u64 carry = 0;
    for (u32 j = 0; j < b.length; j++) {
      carry += (u64)a.limb[i] * b.limb[j] + product->limb[i + j];
      product->limb[i + j] = (u32)carry, carry >>= 32;
    }
    product->limb[i + b.length] = (u32)carry;
  }
  return done(product, a.negative != b.negative);
}

int __rz_big_compare(__rz_big left, __rz_big right) {
  if (left & right & 1) return left < right ? -1 : left > right;
  struct view a, b;
  look(left, &a), look(right, &b);
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  return a.negative ? compare_sizes(&b, &a) : compare_sizes(&a, &b);
}

/*
 * Long division, bit by bit: annotations rarely divide numbers of thousands of digits. Truncates as
 * C does.
 */
static void divide(const struct view *a, const struct view *b, __rz_big *quotient, __rz_big *remainder) {
  struct number *q = make(a->length + 1), *r = make(b->length + 1);
  for (u32 bit = a->length * 32; bit-- > 0;) {
    u32 carry = a->limb[bit / 32] >> (bit % 32) & 1;
    for (u32 i = 0; i <= b->length; i++) {
      u32 next = r->limb[i] >> 31;
      r->limb[i] = r->limb[i] << 1 | carry, carry = next;
    }
    struct view rest = {0, b->length + 1, r->limb, {0, 0}};
    while (rest.length && rest.limb[rest.length - 1] == 0) rest.length--;
    if (compare_sizes(&rest, b) < 0) continue;
    long borrow = 0;
    for (u32 i = 0; i <= b->length; i++) {
      long d = (long)r->limb[i] - (i < b->length ? (long)b->limb[i] : 0) + borrow;
      r->limb[i] = (u32)d, borrow = d < 0 ? -1 : 0;
    }
    q->limb[bit / 32] |= 1u << (bit % 32);
  }
  *quotient = done(q, a->negative != b->negative);
  *remainder = done(r, a->negative);
}

__rz_big __rz_big_divide(__rz_big left, __rz_big right, const struct __rz_note *note) {
  if (right == 1) return __rz_acsl_undefined(note, RZ_UNDEFINED_DIVISION), 1;
  if (left & right & 1) return __rz_big_of((i128)(left >> 1) / (right >> 1));
  struct view a, b;
  look(left, &a), look(right, &b);
  __rz_big quotient, remainder;
  divide(&a, &b, &quotient, &remainder);
  return quotient;
}

__rz_big __rz_big_remainder(__rz_big left, __rz_big right, const struct __rz_note *note) {
  if (right == 1) return __rz_acsl_undefined(note, RZ_UNDEFINED_DIVISION), 1;
  if (left & right & 1) return __rz_big_of((i128)(left >> 1) % (right >> 1));
  struct view a, b;
  look(left, &a), look(right, &b);
  __rz_big quotient, remainder;
  divide(&a, &b, &quotient, &remainder);
  return remainder;
}

/* ---- two's complement ---- */

/* Limb i of the number in two's complement, sign-extended indefinitely. `carry` begins as 1. */
static u32 limb_at(const struct view *v, u32 i, u32 *carry) {
  u32 limb = i < v->length ? v->limb[i] : 0;
  if (!v->negative) return limb;
  u64 sum = (u64)(u32)~limb + *carry;
  *carry = (u32)(sum >> 32);
  return (u32)sum;
}

enum bitwise { AND, OR, XOR };

static __rz_big bitwise(__rz_big left, __rz_big right, enum bitwise op) {
  struct view a, b;
  look(left, &a), look(right, &b);
  u32 length = (a.length > b.length ? a.length : b.length) + 1, carry_a = 1, carry_b = 1;
  struct number *result = make(length);
  for (u32 i = 0; i < length; i++) {
    u32 x = limb_at(&a, i, &carry_a), y = limb_at(&b, i, &carry_b);
    result->limb[i] = op == AND ? x & y : op == OR ? x | y : x ^ y;
  }
  int negative = op == AND ? a.negative && b.negative : op == OR ? a.negative || b.negative : a.negative != b.negative;
  if (negative) {
    u64 carry = 1;
    for (u32 i = 0; i < length; i++) carry += (u32)~result->limb[i], result->limb[i] = (u32)carry, carry >>= 32;
  }
  return done(result, negative);
}

__rz_big __rz_big_and(__rz_big a, __rz_big b) { return bitwise(a, b, AND); }
__rz_big __rz_big_or(__rz_big a, __rz_big b) { return bitwise(a, b, OR); }
__rz_big __rz_big_xor(__rz_big a, __rz_big b) { return bitwise(a, b, XOR); }

__rz_big __rz_big_shift_left(__rz_big left, __rz_big right, const struct __rz_note *note) {
  struct view a;
  look(left, &a);
  if (!(right & 1) || right < 0 || right >> 1 > MOST_LIMBS * 16) return __rz_acsl_undefined(note, RZ_UNDEFINED_SHIFT), 1;
  u32 by = (u32)(right >> 1), limbs = by / 32, bits = by % 32;
  struct number *result = make(a.length + limbs + 1);
  for (u32 i = 0; i < a.length; i++) {
    u64 wide = (u64)a.limb[i] << bits;
    result->limb[i + limbs] |= (u32)wide;
    result->limb[i + limbs + 1] = (u32)(wide >> 32);
  }
  return done(result, a.negative);
}

/* Rounds towards minus infinity, as an arithmetic shift does. */
__rz_big __rz_big_shift_right(__rz_big left, __rz_big right, const struct __rz_note *note) {
  struct view a, by;
  look(left, &a), look(right, &by);
  if (by.negative) return __rz_acsl_undefined(note, RZ_UNDEFINED_SHIFT), 1;
  if (by.length > 1 || (by.length && by.limb[0] >= a.length * 32)) return a.negative ? -1 : 1;
  u32 count = by.length ? by.limb[0] : 0, limbs = count / 32, bits = count % 32;
  struct number *result = make(a.length - limbs + 1);
  u32 lost = 0;
  for (u32 i = 0; i < limbs; i++) lost |= a.limb[i];
  if (bits && limbs < a.length) lost |= a.limb[limbs] << (32 - bits);
  for (u32 i = limbs; i < a.length; i++) {
    u64 wide = a.limb[i] | (i + 1 < a.length ? (u64)a.limb[i + 1] << 32 : 0);
    result->limb[i - limbs] = (u32)(wide >> bits);
  }
  u64 carry = a.negative && lost;
  for (u32 i = 0; i < result->length && carry; i++) carry += result->limb[i], result->limb[i] = (u32)carry, carry >>= 32;
  return done(result, a.negative);
}

/* ---- to other types ---- */

i128 __rz_big_low(__rz_big big) {
  if (big & 1) return big >> 1;
  struct view v;
  look(big, &v);
  u32 carry = 1;
  u128 low = 0;
  for (u32 i = 0; i < 4; i++) low |= (u128)limb_at(&v, i, &carry) << (32 * i);
  return (i128)low;
}

i128 __rz_big_saturated(__rz_big big) {
  if (big & 1) return big >> 1;
  struct view v;
  look(big, &v);
  const i128 most = (i128)(~(u128)0 >> 1);
  if (v.length > 4 || (v.length == 4 && v.limb[3] >> 31)) return v.negative ? -most - 1 : most;
  return __rz_big_low(big);
}

double __rz_big_real(__rz_big big) {
  struct view v;
  look(big, &v);
  double value = 0;
  for (u32 i = v.length; i-- > 0;) value = value * 4294967296.0 + v.limb[i];
  return v.negative ? -value : value;
}

/* ---- captured values ---- */

struct captured {
  long key[3];
  long undefined;
  i128 value;
};

static struct captured *entries(const struct __rz_capture *c) { return raw(c->at); }

void __rz_capture_start(struct __rz_capture *c) { *c = (struct __rz_capture){0, 0, 0, 0}; }

void __rz_capture_add(struct __rz_capture *c, long x, long y, long z, i128 value, int undefined) {
  if (c->count == c->capacity) {
    u32 capacity = c->capacity ? c->capacity * 2 : 16, at = take((u64)capacity * sizeof(struct captured));
    __builtin_memcpy(raw(at), raw(c->at), (u64)c->count * sizeof(struct captured));
    c->at = at, c->capacity = capacity;
  }
  entries(c)[c->count++] = (struct captured){{x, y, z}, undefined, value};
}

static int order(const struct captured *entry, const long *key) {
  for (u32 i = 0; i < 3; i++)
    if (entry->key[i] != key[i]) return entry->key[i] < key[i] ? -1 : 1;
  return 0;
}

/* Values are mostly requested in the order in which they were captured. */
i128 __rz_capture_find(struct __rz_capture *c, long x, long y, long z, const struct __rz_note *note) {
  long key[3] = {x, y, z};
  u32 low = 0, high = c->count;
  if (c->next < high && order(entries(c) + c->next, key) == 0) low = c->next, high = low + 1;
  while (low < high) {
    u32 middle = low + (high - low) / 2;
    int way = order(entries(c) + middle, key);
    if (way == 0) {
      c->next = middle + 1 < c->count ? middle + 1 : 0;
      if (entries(c)[middle].undefined) break;
      return entries(c)[middle].value;
    }
    if (way < 0) low = middle + 1;
    else high = middle;
  }
  __rz_acsl_undefined(note, RZ_UNDEFINED_CAPTURE);
  return 0;
}
