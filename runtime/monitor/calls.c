/*
 * Stacks of allocations, each stored once in a hash table of records `{ length, allocations,
 * site... }`, the outermost site first. A deep stack keeps only its innermost and outermost sites,
 * and its length has CUT set, so that allocations of a recursion at all depths share one stack. A
 * stack's id is the index of its record; equal stacks have equal ids.
 *
 * Most allocations have a stack that was found before. Comparing it with its record takes less time
 * than hashing it, so the ids found last are kept by the two innermost sites and the depth. Those
 * of deep stacks are kept by six sites: a recursion with two calls has many stacks of the same
 * depth with the same two sites.
 *
 * Recursion that allocates on both sides of its calls has a different stack for almost every
 * allocation. For a call site that was reached in MANY different ways only a few sites are kept
 * from then on, so that the table stays small and lookups stay in the cache.
 */
#include "calls.h"

#include "fill.h"
#include "report.h"

u32 __rz_depth = CALLS_START;
u32 __rz_calls_start = CALLS_START;
u64 __rz_callee;
/* The largest depth of calls, as an address of the call stack: `--budget depth`. */
u32 __rz_depth_limit = ~0u;

void __rz_over_depth(u32 site) { __rz_report_budget(BUDGET_DEPTH, 0, site); }

#define STACKS ((u32 *)0x74400000ul)
#define STACK_WORDS 0x600000u
/*
 * A bucket is the upper 41 bits of a stack's hash, which identify the stack, and its id. The lower
 * bits determine the bucket: two stacks are confused with a probability of at most 1 in 2^36.
 */
#define BUCKETS ((u64 *)0x75c00000ul)
#define BUCKET_BITS 18
#define MAX_PROBES 32u
#define ID_BITS 23
#define CUT 0x80000000u

/* The part of a stack that is kept. */
struct extent {
  u32 innermost, outermost;
};
static const struct extent usual = {16, 8}, few = {6, 4};

/*
 * The number of stacks kept for each innermost site; sites that share a counter are cut slightly
 * earlier.
 */
#define MANY 4096u
#define COUNTERS 4096u
static u32 stacks_of[COUNTERS];

/* Record 0 counts allocations after the table was full. */
static u32 next_record = 2;

static u32 keep(u32 length, const u32 *top, u32 inner, u32 outer) {
  u32 id = next_record;
  if (id + inner + outer + 2 > STACK_WORDS) return 0;
  STACKS[id] = length;
  const u32 *start = (const u32 *)(u64)__rz_calls_start;
  for (u32 i = 0; i < outer; i++) STACKS[id + 2 + i] = start[i];
  for (u32 i = 0; i < inner; i++) STACKS[id + 2 + outer + i] = (top - inner)[i];
  next_record += inner + outer + 2;
  return id;
}

#define FACTOR 0x9e3779b97f4a7c15ul
#define FACTOR_OF_SECOND 0xc2b2ae3d27d4eb4ful
#define FACTOR_OF_THIRD 0xd6e8feb86659fd93ul
static inline u64 mix(u64 hash, u64 sites) {
  hash = (hash ^ sites) * FACTOR;
  return hash ^ hash >> 29;
}
static inline u64 pair_at(const u32 *sites) { return *(const any_u64 *)sites; }

/*
 * Hashes the sites of the call stack, two at a time and in four lanes: within a lane each step
 * waits for the step before it, and many stacks have more than a dozen sites.
 */
static u64 hash_sites(u64 hash, const u32 *sites, u32 count) {
  if (count >= 8) {
    u64 lanes[4] = {hash, hash + 1, hash + 2, hash + 3};
    for (; count >= 8; sites += 8, count -= 8)
      for (u32 lane = 0; lane < 4; lane++) lanes[lane] = mix(lanes[lane], pair_at(sites + 2 * lane));
    hash = mix(lanes[0] + lanes[1] * 3, lanes[2] * 5 + lanes[3] * 7);
  }
  for (; count >= 2; sites += 2, count -= 2) hash = mix(hash, pair_at(sites));
  return count ? mix(hash, *sites) : hash;
}

static inline __attribute__((always_inline)) int are_equal(const u32 *a, const u32 *b, u32 count) {
  for (; count >= 2; a += 2, b += 2, count -= 2)
    if (pair_at(a) != pair_at(b)) return 0;
  return count == 0 || *a == *b;
}

#define LATEST_BITS 10
static u32 latest[1 << LATEST_BITS], latest_deep[1 << LATEST_BITS];

static u32 find(u32 length, const u32 *top, u32 inner, u32 outer, u32 *stacks) {
  u64 hash = hash_sites(hash_sites(length, top - inner, inner), (const u32 *)(u64)__rz_calls_start, outer);
  hash = (hash ^ hash >> 32) * FACTOR;
  const u64 tag = hash >> ID_BITS << ID_BITS;
  for (u32 probe = 0; probe < MAX_PROBES; probe++) {
    u64 *bucket = BUCKETS + (((u32)hash + probe) & ((1u << BUCKET_BITS) - 1));
    if (*bucket == 0) {
      u32 id = keep(length, top, inner, outer);
      if (!id) return 0;
      if (*stacks < MANY) ++*stacks;
      *bucket = tag | id;
      return id;
    }
    if (*bucket >> ID_BITS == tag >> ID_BITS) return (u32)*bucket & ((1u << ID_BITS) - 1);
  }
  return 0;
}

/* `found` receives the id, unless the table is full. */
static __attribute__((noinline)) u32 look_up(u32 depth, const u32 *top, u32 *found) {
  u32 *stacks = &stacks_of[depth ? top[-1] & (COUNTERS - 1) : 0];
  const struct extent *extent = *stacks < MANY ? &usual : &few;
  u32 is_cut = depth > extent->innermost + extent->outermost;
  u32 inner = is_cut ? extent->innermost : depth, outer = is_cut ? extent->outermost : 0;
  u32 length = is_cut ? (inner + outer) | CUT : inner;
  const u32 *record = STACKS + *found;
  if (*found && record[0] == length && are_equal(record + 2 + outer, top - inner, inner) &&
      are_equal(record + 2, (const u32 *)(u64)__rz_calls_start, outer))
    return *found;
  u32 id = find(length, top, inner, outer, stacks);
  if (id) *found = id;
  return id;
}

static u32 key_of_deep(const u32 *top, u32 depth) {
  u64 key = (pair_at(top - 2) + depth) * FACTOR + pair_at(top - 4) * FACTOR_OF_SECOND + pair_at(top - 6) * FACTOR_OF_THIRD;
  return (u32)(key >> (64 - LATEST_BITS));
}

u32 __rz_stack_id(void) {
  const u32 *top = (const u32 *)(u64)__rz_depth, *start = (const u32 *)(u64)__rz_calls_start;
  u32 depth = (__rz_depth - __rz_calls_start) >> 2;
  if (depth > few.innermost + few.outermost) return look_up(depth, top, &latest_deep[key_of_deep(top, depth)]);
  /* The word before the call stack is readable. */
  u32 *found = &latest[((pair_at(top - 2) + depth) * FACTOR) >> (64 - LATEST_BITS)], id = *found;
  /* A stack of few sites is always kept whole. */
  return id && STACKS[id] == depth && are_equal(STACKS + id + 2, start, depth) ? id : look_up(depth, top, found);
}

void __rz_count_allocation(u32 stack) { STACKS[stack + 1]++; }
