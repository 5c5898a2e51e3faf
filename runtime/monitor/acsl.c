/*
 * Memory predicates of annotations, computed from the tags, the shadow and the records of blocks;
 * and the values of undefined terms.
 */
#include "../acsl/acsl.h"

#include "calls.h"
#include "heap.h"
#include "objects.h"
#include "partial.h"
#include "range.h"
#include "report.h"
#include "ring.h"

void __rz_report_undefined_term(const struct __rz_note *note, int why) RZ_IMPORT(__rz_report_undefined_term);

int __rz_is_function(const void *p) RZ_IMPORT(__rz_is_function);

static int quiet, was_undefined;
int __rz_recursion_depth, __rz_recursion_is_lost;

void __rz_acsl_undefined(const struct __rz_note *note, int why) {
  if (quiet) was_undefined = 1;
  else __rz_report_undefined_term(note, why);
}

void __rz_acsl_quiet_begin(void) {
  if (quiet++ == 0) was_undefined = 0;
}

int __rz_acsl_quiet_end(void) {
  quiet--;
  return was_undefined;
}

static const void *plain(const volatile void *p) { return (const void *)p; }

/* ---- validity ---- */

static int readable(const void *p, long bytes) { return bytes <= 0 || __rz_range_readable(p, (u64)bytes) == (u64)bytes; }

int __rz_acsl_valid(const volatile void *p, long bytes) {
  return bytes <= 0 || __rz_range_allowed(plain(p), (u64)bytes) == (u64)bytes;
}

int __rz_acsl_valid_read(const volatile void *p, long bytes) { return readable(plain(p), bytes); }

/* Readable bytes, all of which are initialised. */
static int written(u32 first, u32 bytes) {
  for (u32 at = first; at < first + bytes; at++)
    if (__rz_undefined_bits(at) == 0xff) return 0;
  return 1;
}

int __rz_acsl_initialized(const volatile void *p, long bytes) {
  return readable(plain(p), bytes) && (bytes <= 0 || written(address_of(plain(p)), (u32)bytes));
}

int __rz_acsl_read(const volatile void *p, unsigned long bytes, const struct __rz_note *note) {
  if (!readable(plain(p), (long)bytes)) return __rz_acsl_undefined(note, RZ_UNDEFINED_READ), 0;
  if (!written(address_of(plain(p)), (u32)bytes)) __rz_acsl_undefined(note, RZ_UNDEFINED_INITIAL);
  return 1;
}

const volatile void *__rz_acsl_readable(const volatile void *p, unsigned long bytes, const struct __rz_note *note) {
  return __rz_acsl_read(p, bytes, note) ? p : SCRATCH;
}

/* Whether two ranges have no byte in common. Empty ranges share nothing. */
int __rz_acsl_separated(const volatile void *p, long p_bytes, const volatile void *q, long q_bytes) {
  u64 a = address_of(plain(p)), b = address_of(plain(q));
  return p_bytes <= 0 || q_bytes <= 0 || a + (u64)p_bytes <= b || b + (u64)q_bytes <= a;
}

/* ---- blocks ---- */

struct found {
  u32 base, bytes;
  /* Whether it is alive, and whether malloc made it. */
  int alive, heap;
};

extern u32 __rz_heap_start, __rz_heap_top;
extern const struct module_record __start_rz_modules[], __stop_rz_modules[];

static int owns(u32 number, u32 address) { return address < CLIENT_END && owned_by(address >> 3, number); }

static int find_global(u32 number, struct found *found) {
  for (const struct module_record *module = __start_rz_modules; module < __stop_rz_modules; module++)
    for (u32 i = 0; i < module->global_count; i++) {
      const struct global_record *global = module->globals + i;
      if (global->number != number) continue;
      *found = (struct found){address_of(global->address), global->bytes, 1, 0};
      return 1;
    }
  return 0;
}

static int heap_block(u32 header, struct found *found) {
  const struct block *b = raw(header);
  *found = (struct found){header + HEADER, b->bytes, (b->total_and_state & BLOCK_LIVE) != 0, 1};
  return 1;
}

/* The block to which a pointer refers, alive or not; 0 if it is unknown. */
static int find(const void *p, struct found *found) {
  u32 number = effective_number(p), address = address_of(p);
  if (number == 0) return 0;
  if (find_global(number, found)) return 1;
  const struct retired *entry = __rz_entry_of(number);
  if (entry) {
    *found = (struct found){entry->address, entry->bytes, owns(number, entry->address), entry->kind == BLOCK_HEAP};
    return 1;
  }
  if (address >= __rz_heap_start && address < __rz_heap_top && owns(number, address)) {
    u32 g = address >> 3;
    while (owns(number, (g - 1) << 3)) g--;
    u32 header = (g << 3) - HEADER;
    if (((const struct block *)raw(header))->number == number) return heap_block(header, found);
  }
  for (u32 at = __rz_heap_start; at < __rz_heap_top;) {
    const struct block *b = raw(at);
    u32 total = b->total_and_state & ~(u32)BLOCK_STATES;
    if (b->number == number) return heap_block(at, found);
    if (total == 0) break;
    at += total;
  }
  return 0;
}

static int find_alive(const volatile void *p, struct found *found) { return find(plain(p), found) && found->alive; }

int __rz_acsl_dangling(const volatile void *p, long bytes) {
  for (long i = 0; i + (long)sizeof(void *) <= bytes; i += sizeof(void *)) {
    const void *at = (const char *)p + i;
    if (!readable(at, sizeof(void *))) return 0;
    const void *held = *(void *const *)raw(address_of(at));
    struct found found;
    if (held != 0 && find(held, &found) && !found.alive) return 1;
  }
  return 0;
}

int __rz_acsl_freeable(const volatile void *p) {
  struct found found;
  return find_alive(p, &found) && found.heap && found.base == address_of(plain(p));
}

/* Whether a new block could begin there, because there is no block now. */
int __rz_acsl_allocable(const volatile void *p) {
  struct found found;
  return p == 0 || !find_alive(p, &found);
}

int __rz_acsl_fresh(const volatile void *p, __int128 bytes, unsigned since) {
  struct found found;
  return find_alive(p, &found) && found.heap && count_of(effective_number(plain(p))) >= since && found.base == address_of(plain(p)) &&
         found.bytes == bytes;
}

char *__rz_acsl_base_addr(const volatile void *p) {
  struct found found;
  return find_alive(p, &found) ? pointer(found.base, number_of(plain(p))) : 0;
}

long __rz_acsl_block_length(const volatile void *p) {
  struct found found;
  return find_alive(p, &found) ? (long)found.bytes : 0;
}

long __rz_acsl_offset(const volatile void *p) {
  struct found found;
  return find_alive(p, &found) ? (long)address_of(plain(p)) - (long)found.base : 0;
}

/* The copy is in the arena; a repeated copy, as in every iteration of a loop, reuses its place. */
void __rz_acsl_keep(struct __rz_kept *kept, const volatile void *p) {
  struct found found;
  kept->bytes = find_alive(p, &found) ? found.bytes : 0;
  if (kept->bytes == 0) return;
  if (kept->bytes > kept->capacity) {
    kept->at = (__rz_arena_top + 15) & ~15u;
    kept->capacity = kept->bytes;
    __rz_arena_top = kept->at + kept->bytes;
  }
  kept->first = found.base;
  __builtin_memcpy(raw(kept->at), raw(found.base), kept->bytes);
}

const void *__rz_acsl_kept(const struct __rz_kept *kept, const volatile void *p, unsigned long bytes, const struct __rz_note *note) {
  u64 offset = (u64)address_of(plain(p)) - kept->first;
  if (offset + bytes <= kept->bytes && offset < kept->bytes) return raw(kept->at + (u32)offset);
  return __rz_acsl_undefined(note, RZ_UNDEFINED_READ), (const void *)SCRATCH;
}

int __rz_acsl_valid_function(const volatile void *p, const void *type) {
  for (void *const *other = raw(address_of(type)); *other; other++)
    if (*other == p) return 0;
  return __rz_is_function(plain(p));
}

unsigned __rz_acsl_now(void) { return __rz_next_count; }

void __rz_frames_abandon(const void *stack);
void __rz_exits_abandon(const void *stack);

/* longjmp has unwound the stack below this address. */
void __rz_acsl_abandon(const void *stack) {
  __rz_frames_abandon(stack);
  __rz_exits_abandon(stack);
}

/* ---- measures ---- */

/*
 * Calls that longjmp has left are recognised by their depth: the next call at that depth replaces
 * them.
 */
#define MOST_MEASURES 0x10000u
static struct {
  const char *id;
  __rz_big value;
  u32 depth;
} measures[MOST_MEASURES];
static u32 measure_count;
static __rz_big outer_measure;

unsigned __rz_measure_mark(void) {
  while (measure_count && measures[measure_count - 1].depth >= __rz_depth) measure_count--;
  return measure_count;
}

void __rz_measure_leave(unsigned *mark) { measure_count = *mark; }

int __rz_measure_enter(const char *id, __rz_big value) {
  u32 outer = measure_count;
  while (outer && measures[outer - 1].id != id) outer--;
  if (outer) outer_measure = measures[outer - 1].value;
  if (measure_count < MOST_MEASURES) {
    measures[measure_count].id = id, measures[measure_count].value = value;
    measures[measure_count++].depth = __rz_depth;
  }
  return outer != 0;
}

__rz_big __rz_measure_outer(void) { return outer_measure; }
