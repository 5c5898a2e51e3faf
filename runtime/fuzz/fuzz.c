/* See fuzz.h. There are no variables here, because globals would be restored with the program's. */
#include "fuzz.h"

/* Ends the run: it has exceeded the number of steps that counts as a hang. */
void __rz_fuzz_endless(u32 edge) FUZZ_IMPORT(__rz_fuzz_endless);

static u64 *words_of(u32 block) { return (u64 *)((u64)block << BLOCK_BITS); }

static inline __attribute__((always_inline)) void save(u32 block) {
  if (SAVED[block] != NOT_SAVED) return;
  const u64 *from = words_of(block);
  u64 any = 0;
  for (u32 i = 0; i < BLOCK_WORDS; i++) any |= from[i];
  if (!any) {
    SAVED[block] = ALL_ZERO;
    return;
  }
  if (STATE->copies == MOST_COPIES) {
    STATE->is_full = 1;
    return;
  }
  u64 *to = COPIES + (u64)STATE->copies * BLOCK_WORDS;
  for (u32 i = 0; i < BLOCK_WORDS; i++) to[i] = from[i];
  SAVED[block] = FIRST_COPY + STATE->copies++;
}

__attribute__((noinline)) void __rz_fuzz_mark(u32 block) {
  if (DIRTY[block]) return;
  if (STATE->dirty == LIST_LENGTH) {
    STATE->is_full = 1;
    return;
  }
  DIRTY[block] = 1;
  LIST[STATE->dirty++] = block;
  save(block);
  if (block < LAST_BLOCK) save(block + 1);
}

__attribute__((noinline)) void __rz_fuzz_mark_range(u32 address, u32 bytes) {
  if (bytes == 0) return;
  u32 last = bytes - 1 > 0xffffffffu - address ? LAST_BLOCK : (address + (bytes - 1)) >> BLOCK_BITS;
  for (u32 block = address >> BLOCK_BITS;; block++) {
    if (!DIRTY[block]) __rz_fuzz_mark(block);
    if (block == last) return;
  }
}

void __rz_fuzz_snapshot(void) {
  for (u32 i = 0; i < STATE->dirty; i++) {
    u32 block = LIST[i];
    DIRTY[block] = 0;
    SAVED[block] = NOT_SAVED;
    if (block < LAST_BLOCK) SAVED[block + 1] = NOT_SAVED;
  }
  STATE->dirty = STATE->copies = STATE->is_full = 0;
}

/* Restoring takes a tenth of the time of a short run, and half as long with words of 16 bytes. */
typedef u64 pair __attribute__((vector_size(16)));

static inline __attribute__((always_inline, target("simd128"))) void put_back(u32 block, u32 words) {
  pair *to = (pair *)words_of(block);
  u32 saved = SAVED[block];
  if (saved == ALL_ZERO) {
#pragma clang loop unroll(full)
    for (u32 i = 0; i < words / 2; i++) to[i] = (pair){0, 0};
  } else {
    const pair *from = (const pair *)(COPIES + (u64)(saved - FIRST_COPY) * BLOCK_WORDS);
#pragma clang loop unroll(full)
    for (u32 i = 0; i < words / 2; i++) to[i] = from[i];
  }
}

__attribute__((target("simd128"))) u32 __rz_fuzz_restore(void) {
  if (STATE->is_full) return 0xffffffffu;
  u32 count = STATE->dirty;
  for (u32 i = 0; i < count; i++) {
    u32 block = LIST[i];
    DIRTY[block] = 0;
    put_back(block, BLOCK_WORDS);
    if (block < LAST_BLOCK) put_back(block + 1, LONGEST_STORE_WORDS);
  }
  STATE->dirty = 0;
  return count;
}

/* Counts in the same bucket are equivalent: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128-255. */
static u32 bucket_of(u32 count) {
  if (count <= 3) return 1u << (count - 1);
  if (count >= 128) return 1u << 7;
  if (count >= 32) return 1u << 6;
  return count >= 16 ? 1u << 5 : count >= 8 ? 1u << 4 : 1u << 3;
}

static inline __attribute__((always_inline)) u32 list_features(u32 edges, int only_new) {
  const u64 *words = (const u64 *)COUNTERS;
  u32 found = 0;
  for (u32 i = 0; i < (edges + 7) / 8; i++) {
    u64 counts = words[i];
    for (u32 edge = i * 8; counts; edge++, counts >>= 8) {
      u32 count = counts & 0xff;
      if (!count) continue;
      u32 bit = bucket_of(count);
      if (only_new && SEEN[edge] & bit) continue;
      if (found < MOST_FEATURES) FEATURES[found++] = edge << 8 | bit;
    }
  }
  return found;
}

u32 __rz_fuzz_new_features(u32 edges) { return list_features(edges, 1); }
u32 __rz_fuzz_all_features(u32 edges) { return list_features(edges, 0); }

void __rz_fuzz_begin_run(u32 edges, u32 fuel, u32 is_recording, u32 sites) {
  __builtin_memset(COUNTERS, 0, (edges + 7) & ~7u);
  STATE->fuel = fuel;
  STATE->is_recording = is_recording;
  if (!is_recording) return;
  STATE->compared = STATE->texts = 0;
  __builtin_memset(HITS, 0, sites < MOST_SITES ? sites : MOST_SITES);
}

/*
 * track-writes.ts writes these two in line, and calls `__rz_fuzz_compare` only if comparisons are
 * recorded.
 */
void __rz_fuzz_edge(u32 edge) { COUNTERS[edge]++; }

void __rz_fuzz_step(u32 edge) {
  COUNTERS[edge]++;
  if (--STATE->fuel == 0) __rz_fuzz_endless(edge);
}

static int is_wanted(u32 site) { return site < MOST_SITES && HITS[site] < MOST_HITS; }

__attribute__((noinline)) void __rz_fuzz_compare(u32 site, u64 left, u64 right) {
  if (!STATE->is_recording || !is_wanted(site) || STATE->compared == MOST_COMPARED) return;
  HITS[site]++;
  COMPARED[STATE->compared++] = (struct comparison){site, 0, left, right};
}

/* The program's memory, without the number of the pointer. */
static const u8 *raw_bytes(const void *p) { return (const u8 *)((u64)p & 0xffffffffu); }

__attribute__((noinline)) void __rz_fuzz_compare_text(u32 site, u32 kind, const void *left, const void *right, u64 bytes) {
  if (!STATE->is_recording || !is_wanted(site) || STATE->texts == MOST_TEXTS) return;
  const u8 *a = raw_bytes(left), *b = raw_bytes(right);
  if (!a || !b || (u64)a >= 0x40000000ul || (u64)b >= 0x40000000ul) return;
  u32 most = kind == TEXT_STRING || bytes > TEXT_BYTES ? TEXT_BYTES : (u32)bytes;
  HITS[site]++;
  struct text_comparison *to = TEXTS + STATE->texts++;
  to->site = site;
  int ends_left = 0, ends_right = 0;
  u32 n = 0;
  for (; n < most && !(ends_left && ends_right); n++) {
    to->left[n] = ends_left ? 0 : a[n];
    to->right[n] = ends_right ? 0 : b[n];
    if (kind == TEXT_MEMORY) continue;
    ends_left |= !to->left[n], ends_right |= !to->right[n];
  }
  to->bytes = n;
}
