/*
 * Stacks of allocations, kept once each in a hash table of records `{ length, allocations, site...
 * }`, the innermost site first. Of a deep stack only the innermost and the outermost sites are
 * kept, and the length has CUT set: what recursion allocates at all its depths has one stack. A
 * stack's id is the index of its record; equal stacks have equal ids.
 *
 * Recursion that allocates on both sides of its calls has a stack of its own for almost every
 * allocation. Of a call site that was reached in MANY different ways only a few sites are kept from
 * then on, so that the table stays small and a lookup stays in the cache.
 */
#include "calls.h"

#include "report.h"

u32 __rz_depth = CALLS_START;
u32 __rz_calls_start = CALLS_START;
u64 __rz_callee;
/* How deep calls may nest, as an address of the call stack: `--budget depth`. */
u32 __rz_depth_limit = ~0u;

void __rz_over_depth(u32 site) { __rz_report_budget(BUDGET_DEPTH, 0, site); }

#define STACKS ((u32 *)0x74400000ul)
#define STACK_WORDS 0x600000u
/* A bucket is a stack's hash in the upper half and its id in the lower. */
#define BUCKETS ((u64 *)0x75c00000ul)
#define BUCKET_BITS 18
#define MAX_PROBES 32u
#define CUT 0x80000000u

/* How much of a stack is kept. */
struct extent {
  u32 innermost, outermost;
};
static const struct extent usual = {16, 8}, few = {6, 4};
#define MAX_FRAMES 24u

/*
 * How many stacks were kept for each innermost site; sites that share a counter are cut a little
 * earlier.
 */
#define MANY 4096u
#define COUNTERS 4096u
static u32 stacks_of[COUNTERS];

/* Record 0 counts what came when the table was full. */
static u32 next_record = 2;

static u32 keep(u32 length, const u32 *sites, u32 frames) {
  u32 id = next_record;
  if (id + frames + 2 > STACK_WORDS) return 0;
  STACKS[id] = length;
  for (u32 i = 0; i < frames; i++) STACKS[id + 2 + i] = sites[i];
  next_record += frames + 2;
  return id;
}

u32 __rz_stack_id(void) {
  const u32 *top = (const u32 *)(u64)__rz_depth;
  u32 depth = (__rz_depth - __rz_calls_start) >> 2;
  u32 *stacks = &stacks_of[depth ? top[-1] & (COUNTERS - 1) : 0];
  const struct extent extent = *stacks < MANY ? usual : few;
  u32 most = extent.innermost + extent.outermost, is_cut = depth > most, frames = is_cut ? most : depth;
  u32 length = is_cut ? frames | CUT : frames, hash = length, sites[MAX_FRAMES];
  for (u32 i = 0; i < frames; i++) {
    u32 from_top = is_cut && i >= extent.innermost ? depth - (most - i) : i;
    sites[i] = top[-(long)from_top - 1];
    hash = (hash ^ sites[i]) * 0x9e3779b1u;
  }
  for (u32 probe = 0; probe < MAX_PROBES; probe++) {
    u64 *bucket = BUCKETS + (((hash >> (32 - BUCKET_BITS)) + probe) & ((1u << BUCKET_BITS) - 1));
    if (*bucket == 0) {
      u32 id = keep(length, sites, frames);
      if (!id) return 0;
      if (*stacks < MANY) ++*stacks;
      *bucket = (u64)hash << 32 | id;
      return id;
    }
    if (*bucket >> 32 != hash) continue;
    u32 id = (u32)*bucket, same = STACKS[id] == length;
    for (u32 i = 0; same && i < frames; i++) same = STACKS[id + 2 + i] == sites[i];
    if (same) return id;
  }
  return 0;
}

void __rz_count_allocation(u32 stack) { STACKS[stack + 1]++; }
