/*
 * The functions that woven code (src/front/acsl) calls. The weaver includes only this file, before
 * everything else in a program that has annotations.
 *
 * A note has the location of an annotation, or of a term inside one. Functions named
 * `__rz_raw_*` are not instrumented: they read the program's memory after they have checked that
 * they may, and an annotation never crashes the program.
 */
#ifndef RZ_ACSL_H
#define RZ_ACSL_H

struct __rz_note {
  /* `loop invariant`, …; null for a term. */
  const char *kind;
  const char *text, *file;
  unsigned line, column;
};

#define RZ_ACSL_IMPORT(name) __attribute__((import_module("redzone"), import_name(#name)))

/* ---- reports: what does not hold, after the values of its terms ---- */

enum { RZ_VALUE_INTEGER, RZ_VALUE_BIG, RZ_VALUE_REAL, RZ_VALUE_POINTER, RZ_VALUE_BOOLEAN, RZ_VALUE_ROUNDED };
void __rz_acsl_value(const char *text, int kind, long low, long high) RZ_ACSL_IMPORT(__rz_acsl_value);
/* A related location: where the function returned, or which write it was. */
void __rz_acsl_place(const char *what, const char *file, unsigned line, unsigned column) RZ_ACSL_IMPORT(__rz_acsl_place);
void __rz_acsl_fail(const struct __rz_note *) RZ_ACSL_IMPORT(__rz_acsl_fail);

static inline void __rz_raw_value_integer(const char *text, __int128 v) {
  __rz_acsl_value(text, RZ_VALUE_INTEGER, (long)v, (long)(v >> 64));
}
static inline void __rz_raw_value_real(const char *text, double v) {
  union { double real; long bits; } both = {v};
  __rz_acsl_value(text, RZ_VALUE_REAL, both.bits, 0);
}
static inline void __rz_raw_value_pointer(const char *text, const volatile void *v) { __rz_acsl_value(text, RZ_VALUE_POINTER, (long)v, 0); }
static inline void __rz_raw_value_big(const char *text, long v) { __rz_acsl_value(text, RZ_VALUE_BIG, v, 0); }
static inline void __rz_raw_value_boolean(const char *text, int v) { __rz_acsl_value(text, RZ_VALUE_BOOLEAN, v, 0); }

/* No value: the deciding term was computed in double. */
static inline void __rz_raw_value_rounded(void) { __rz_acsl_value("", RZ_VALUE_ROUNDED, 0, 0); }

/* ---- undefined terms: reported at once, or only remembered while a value is captured ---- */

enum { RZ_UNDEFINED_READ, RZ_UNDEFINED_INITIAL, RZ_UNDEFINED_DIVISION, RZ_UNDEFINED_SHIFT, RZ_UNDEFINED_CAPTURE, RZ_UNDEFINED_SIZE, RZ_UNDEFINED_BLOCKS, RZ_UNDEFINED_DEPTH };
void __rz_acsl_undefined(const struct __rz_note *, int why);
void __rz_acsl_quiet_begin(void);
int __rz_acsl_quiet_end(void);

/* ---- reading the program's memory ---- */

/* Reports an invalid read; 1 if it is valid. */
int __rz_acsl_read(const volatile void *p, unsigned long bytes, const struct __rz_note *);

#define RZ_INLINE static inline __attribute__((always_inline))

/*
 * Aligned, with tag words that say "accessible and initialised"; other cases are left to
 * __rz_acsl_read.
 */
RZ_INLINE int __rz_raw_plain(const volatile void *p, unsigned bytes) {
  unsigned first = (unsigned)(unsigned long)p, word = ~(unsigned)((unsigned long)p >> 32);
  const unsigned *tags = (const unsigned *)0x40000000ul;
  unsigned differs = tags[first >> 3] ^ word;
  if (bytes > 8) differs |= tags[(first >> 3) + 1] ^ word;
  return (differs | (first & (bytes - 1))) == 0;
}

/*
 * A copy of the block to which a pointer pointed at some time; which bytes were uninitialised is
 * not recorded.
 */
struct __rz_kept {
  unsigned first, bytes, at, capacity;
};
void __rz_acsl_keep(struct __rz_kept *, const volatile void *p);
/*
 * The address in the copy of what was at `p`; a harmless address, and a report, if the copy does
 * not have it.
 */
const void *__rz_acsl_kept(const struct __rz_kept *, const volatile void *p, unsigned long bytes, const struct __rz_note *);

#define RZ_READER(name, type, wide)                                                                     \
  typedef type __rz_any_##name __attribute__((may_alias));                                              \
  RZ_INLINE wide __rz_raw_read_##name(const volatile void *p, const struct __rz_note *note) {           \
    return __builtin_expect(__rz_raw_plain(p, sizeof(type)), 1) || __rz_acsl_read(p, sizeof(type), note) \
               ? (wide)(*(const __rz_any_##name *)p)                                                    \
               : 0;                                                                                     \
  }                                                                                                     \
  RZ_INLINE wide __rz_raw_kept_##name(const struct __rz_kept *kept, const volatile void *p, const struct __rz_note *note) { \
    return (wide)(*(const __rz_any_##name *)__rz_acsl_kept(kept, p, sizeof(type), note));               \
  }
RZ_READER(bool, _Bool, long)
RZ_READER(i8, signed char, long)
RZ_READER(u8, unsigned char, long)
RZ_READER(i16, short, long)
RZ_READER(u16, unsigned short, long)
RZ_READER(i32, int, long)
RZ_READER(u32, unsigned, long)
RZ_READER(i64, long, long)
RZ_READER(u64, unsigned long, __int128)
RZ_READER(i128, __int128, __int128)
RZ_READER(float, float, double)
RZ_READER(double, double, double)
RZ_READER(pointer, void *, void *)
#undef RZ_READER

/* For other kinds of reads: the pointer itself, or a harmless address. */
const volatile void *__rz_acsl_readable(const volatile void *p, unsigned long bytes, const struct __rz_note *);

/* ---- memory predicates; an empty range is valid ---- */

int __rz_acsl_valid(const volatile void *p, long bytes);
int __rz_acsl_valid_read(const volatile void *p, long bytes);
int __rz_acsl_initialized(const volatile void *p, long bytes);
int __rz_acsl_dangling(const volatile void *p, long bytes);
int __rz_acsl_separated(const volatile void *p, long p_bytes, const volatile void *q, long q_bytes);
int __rz_acsl_freeable(const volatile void *p);
int __rz_acsl_allocable(const volatile void *p);
int __rz_acsl_fresh(const volatile void *p, __int128 bytes, unsigned since);
char *__rz_acsl_base_addr(const volatile void *p);
long __rz_acsl_block_length(const volatile void *p);
long __rz_acsl_offset(const volatile void *p);
/*
 * `type` is a variable of the pointer's type: src/monitor/function-types.ts makes it a list of the
 * functions that have another type.
 */
int __rz_acsl_valid_function(const volatile void *p, const void *type);
/* Blocks that begin from now on have this count or a later one. */
unsigned __rz_acsl_now(void);

/* An index that does not fit must not wrap around into the block. */
RZ_INLINE long __rz_raw_index(__int128 i) {
  const __int128 far = (__int128)1 << 33;
  return (long)(i > far ? far : i < -far ? -far : i);
}
/* The bounds of a loop, clamped: no loop reaches larger values. */
RZ_INLINE long __rz_raw_bound(__int128 i) {
  return i > 0x7ffffffffffffffel ? 0x7ffffffffffffffel : i < -0x7ffffffffffffffel ? -0x7ffffffffffffffel : (long)i;
}

RZ_INLINE long __rz_raw_at_least(long bound, long low) { return bound < low ? low : bound; }
RZ_INLINE long __rz_raw_at_most(long bound, long high) { return bound > high ? high : bound; }

/* From one pointer to another of the same block, in bytes. */
RZ_INLINE long __rz_raw_distance(const volatile void *from, const volatile void *to, const struct __rz_note *note) {
  if ((unsigned long)from >> 32 == (unsigned long)to >> 32) return (long)to - (long)from;
  return __rz_acsl_undefined(note, RZ_UNDEFINED_BLOCKS), 0;
}

/*
 * ---- recursive definitions: one that calls itself without end is given up, and all that is left
 * of it has no value ----
 */

enum { RZ_DEEPEST = 100000 };
extern int __rz_recursion_depth, __rz_recursion_is_lost;
RZ_INLINE int __rz_raw_logic_enter(const struct __rz_note *note) {
  if (++__rz_recursion_depth == 1) __rz_recursion_is_lost = 0;
  if (__rz_recursion_depth > RZ_DEEPEST && !__rz_recursion_is_lost) __rz_recursion_is_lost = 1, __rz_acsl_undefined(note, RZ_UNDEFINED_DEPTH);
  return !__rz_recursion_is_lost;
}
RZ_INLINE void __rz_raw_logic_leave(void) { __rz_recursion_depth--; }

/* ---- integers ---- */

/* 2n+1 for a small number n, otherwise the address of a number in the arena. */
typedef long __rz_big;
__rz_big __rz_big_of(__int128);
__rz_big __rz_big_of_unsigned(unsigned __int128);
__rz_big __rz_big_of_text(const char *digits);
__rz_big __rz_big_add(__rz_big, __rz_big);
__rz_big __rz_big_subtract(__rz_big, __rz_big);
__rz_big __rz_big_multiply(__rz_big, __rz_big);
__rz_big __rz_big_divide(__rz_big, __rz_big, const struct __rz_note *);
__rz_big __rz_big_remainder(__rz_big, __rz_big, const struct __rz_note *);
__rz_big __rz_big_and(__rz_big, __rz_big);
__rz_big __rz_big_or(__rz_big, __rz_big);
__rz_big __rz_big_xor(__rz_big, __rz_big);
__rz_big __rz_big_shift_left(__rz_big, __rz_big, const struct __rz_note *);
__rz_big __rz_big_shift_right(__rz_big, __rz_big, const struct __rz_note *);
int __rz_big_compare(__rz_big, __rz_big);
/* The nearest number of the type. */
__int128 __rz_big_saturated(__rz_big);
/* The lowest 128 bits in two's complement. */
__int128 __rz_big_low(__rz_big);
double __rz_big_real(__rz_big);

/* Numbers and captured values live until the arena is reset. */
extern unsigned __rz_arena_top;
RZ_INLINE unsigned __rz_raw_arena(void) { return __rz_arena_top; }
RZ_INLINE void __rz_raw_arena_cut(unsigned *top) { __rz_arena_top = *top; }

RZ_INLINE long __rz_raw_divide_i64(long a, long b, const struct __rz_note *n) {
  if (b == 0) return __rz_acsl_undefined(n, RZ_UNDEFINED_DIVISION), 0;
  return a / b;
}
RZ_INLINE long __rz_raw_remainder_i64(long a, long b, const struct __rz_note *n) {
  if (b == 0) return __rz_acsl_undefined(n, RZ_UNDEFINED_DIVISION), 0;
  return b == -1 ? 0 : a % b;
}
RZ_INLINE __int128 __rz_raw_divide_i128(__int128 a, __int128 b, const struct __rz_note *n) {
  if (b == 0) return __rz_acsl_undefined(n, RZ_UNDEFINED_DIVISION), 0;
  return a / b;
}
RZ_INLINE __int128 __rz_raw_remainder_i128(__int128 a, __int128 b, const struct __rz_note *n) {
  if (b == 0) return __rz_acsl_undefined(n, RZ_UNDEFINED_DIVISION), 0;
  return b == -1 ? 0 : a % b;
}
RZ_INLINE double __rz_raw_divide_real(double a, double b, const struct __rz_note *n) {
  if (b == 0) return __rz_acsl_undefined(n, RZ_UNDEFINED_DIVISION), 0;
  return a / b;
}
/* The interval of the term guarantees that the result fits. */
RZ_INLINE __int128 __rz_raw_shift_left(__int128 a, __int128 by, const struct __rz_note *n) {
  if (by < 0) return __rz_acsl_undefined(n, RZ_UNDEFINED_SHIFT), 0;
  return by > 127 ? 0 : (__int128)((unsigned __int128)a << by);
}
RZ_INLINE __int128 __rz_raw_shift_right(__int128 a, __int128 by, const struct __rz_note *n) {
  if (by < 0) return __rz_acsl_undefined(n, RZ_UNDEFINED_SHIFT), 0;
  return a >> (by > 127 ? 127 : by);
}

/* ---- values captured under quantifiers: a sorted table of keys ---- */

struct __rz_capture {
  unsigned at, count, capacity, next;
};
void __rz_capture_start(struct __rz_capture *);
/* Keys are added in ascending order; an undefined value is recorded as such. */
void __rz_capture_add(struct __rz_capture *, long a, long b, long c, __int128 value, int undefined);
__int128 __rz_capture_find(struct __rz_capture *, long a, long b, long c, const struct __rz_note *);

RZ_INLINE __int128 __rz_raw_bits_of_real(double v) {
  union { double real; long bits; } both = {v};
  return both.bits;
}
RZ_INLINE double __rz_raw_real_of_bits(__int128 v) {
  union { long bits; double real; } both = {(long)v};
  return both.real;
}

/* ---- assigns: what may be written while a frame is open ---- */

struct __rz_frame {
  const struct __rz_note *note;
  unsigned ranges, count, capacity, since, depth, arena, deferred, pending, pending_count, pending_capacity;
};
void __rz_frame_open(struct __rz_frame *, const struct __rz_note *);
void __rz_frame_allow(struct __rz_frame *, const volatile void *p, long bytes);
/* Opens the frame. */
void __rz_frame_enter(struct __rz_frame *);
/* Called when its scope is left in any way; ignored if the frame was never opened. */
void __rz_frame_close(struct __rz_frame *);
/*
 * For a frame whose locations change: writes outside it are checked at the end of an iteration.
 */
void __rz_frame_defer(struct __rz_frame *);
void __rz_frame_again(struct __rz_frame *);
void __rz_frame_settle(struct __rz_frame *);

/* ---- decreases: the measure of the calls that are active ---- */

/*
 * Enters a call of the function with this `id`. 1 if another call is active: its measure is then
 * __rz_measure_outer().
 */
int __rz_measure_enter(const char *id, __rz_big value);
__rz_big __rz_measure_outer(void);
/* The number of active calls, which is restored when this one is left. */
unsigned __rz_measure_mark(void);
void __rz_measure_leave(unsigned *mark);

/* ---- exits: what holds when the program is ended ---- */

/*
 * `check` is called with the status if the program ends before the scope of the variable `watch` is
 * left.
 */
void __rz_exit_watch(char *watch, void (*check)(int status));
void __rz_exit_unwatch(char *watch);

/* Replaced by the notes of the program. */
struct __rz_notes_here;

#endif
