/*
 * Stacks of allocations: the innermost sites of the call stack, kept once each in a hash table of records
 * `{ length, site... }`. A stack's id is the index of its record; equal stacks have equal ids.
 */
#include "calls.h"

u32 __rz_depth = CALLS_START;
u64 __rz_callee;

#define STACKS ((u32 *)0x74400000ul)
#define STACK_WORDS 0x600000u
#define BUCKETS ((u32 *)0x75c00000ul)
#define BUCKET_COUNT 0x40000u
#define MAX_FRAMES 24u

static u32 next_record = 1;

u32 __rz_stack_id(void) {
  u32 frames = (__rz_depth - CALLS_START) >> 2;
  if (frames > MAX_FRAMES) frames = MAX_FRAMES;
  const u32 *top = (const u32 *)(u64)__rz_depth;
  u32 hash = frames;
  for (u32 i = 1; i <= frames; i++) hash = (hash ^ top[-(long)i]) * 0x9e3779b1u;
  for (u32 probe = hash >> 14;; probe++) {
    u32 *bucket = BUCKETS + (probe & (BUCKET_COUNT - 1));
    if (*bucket == 0) {
      if (next_record + frames + 1 > STACK_WORDS || next_record > BUCKET_COUNT * 3 / 4 * MAX_FRAMES) return 0;
      u32 id = next_record;
      STACKS[id] = frames;
      for (u32 i = 1; i <= frames; i++) STACKS[id + i] = top[-(long)i];
      next_record += frames + 1;
      return *bucket = id;
    }
    u32 id = *bucket, same = STACKS[id] == frames;
    for (u32 i = 1; same && i <= frames; i++) same = STACKS[id + i] == top[-(long)i];
    if (same) return id;
  }
}
