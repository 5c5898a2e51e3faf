/*
 * Stacks of allocations, kept once each in a hash table of records `{ length, allocations, site... }`, the innermost site first. Of a deep stack
 * only the innermost and the outermost sites are kept, and the length has CUT set: what recursion allocates at all its depths
 * has one stack. A stack's id is the index of its record; equal stacks have equal ids.
 */
#include "calls.h"

u32 __rz_depth = CALLS_START;
u64 __rz_callee;

#define STACKS ((u32 *)0x74400000ul)
#define STACK_WORDS 0x600000u
#define BUCKETS ((u32 *)0x75c00000ul)
#define BUCKET_COUNT 0x40000u
#define INNERMOST 16u
#define OUTERMOST 8u
#define MAX_FRAMES (INNERMOST + OUTERMOST)
#define CUT 0x80000000u

/* Record 0 counts what came when the table was full. */
static u32 next_record = 2;

u32 __rz_stack_id(void) {
  u32 depth = (__rz_depth - CALLS_START) >> 2, frames = depth > MAX_FRAMES ? MAX_FRAMES : depth;
  u32 length = depth > MAX_FRAMES ? frames | CUT : frames, hash = length, sites[MAX_FRAMES];
  const u32 *top = (const u32 *)(u64)__rz_depth;
  for (u32 i = 0; i < frames; i++) {
    u32 from_top = depth > MAX_FRAMES && i >= INNERMOST ? depth - (MAX_FRAMES - i) : i;
    sites[i] = top[-(long)from_top - 1];
    hash = (hash ^ sites[i]) * 0x9e3779b1u;
  }
  for (u32 probe = hash >> 14;; probe++) {
    u32 *bucket = BUCKETS + (probe & (BUCKET_COUNT - 1));
    if (*bucket == 0) {
      if (next_record + frames + 2 > STACK_WORDS || next_record > BUCKET_COUNT * 3 / 4 * MAX_FRAMES) return 0;
      u32 id = next_record;
      STACKS[id] = length;
      for (u32 i = 0; i < frames; i++) STACKS[id + 2 + i] = sites[i];
      next_record += frames + 2;
      return *bucket = id;
    }
    u32 id = *bucket, same = STACKS[id] == length;
    for (u32 i = 0; same && i < frames; i++) same = STACKS[id + 2 + i] == sites[i];
    if (same) return id;
  }
}

void __rz_count_allocation(u32 stack) { STACKS[stack + 1]++; }
