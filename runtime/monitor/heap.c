/*
 * The monitor's malloc: size classes of 16 bytes up to 1 KiB, then 32 per power of two, which
 * waste at most 1/32 of a block. Freed blocks wait in a first-in-first-out quarantine before their
 * memory is reused. Detection does not need the quarantine, since a block gets a new number each
 * time; it keeps the records of freed blocks longer, for reports.
 *
 *     free    a list for each class: the memory of a block is reused for blocks of its class
 *     runs    neighbouring free blocks that were merged: cut into blocks of any class
 *
 * Blocks are merged when most of the heap is free, or nothing else is left: a program that makes
 * one longer text after the other would otherwise keep free blocks of every class.
 *
 * With `--malloc` the memory of blocks, including the header, comes from a malloc in TypeScript
 * (src/malloc) instead of from the lists here, and is returned to it after the quarantine. For
 * `heap trace`, each call is reported to TypeScript.
 */
#include "heap.h"

#include "calls.h"
#include "fill.h"
#include "races.h"
#include "report.h"
#include "range.h"
#include "ring.h"
#include "store.h"

/* A program's own malloc takes precedence. */
#define GIVES_WAY __attribute__((weak))

#define SMALL_CLASSES 64
/* Per power of two, from 1 KiB to 1 GiB. */
#define STEPS 32u
#define CLASSES (SMALL_CLASSES + 20 * STEPS)

#define ENOMEM 12
#define EINVAL 22

/* Defined by the C library; absent from programs that never use errno. */
__attribute__((weak)) int *__errno_location(void);

/* A request of this size is made in order to fail, so it is not reported. */
#define TOO_LARGE_FOR_ANY_MACHINE (1ul << 40)

/* The heap is [start, top); memory above top was never used. Exported for TypeScript. */
u32 __rz_heap_start, __rz_heap_top, __rz_heap_limit = CLIENT_END;
/* Whether the last request failed. Exported for TypeScript. */
u32 __rz_without_memory;
u32 __rz_quarantine_limit = 256u << 10;
/*
 * The number of live blocks: a program that runs many times needs no leak search if it has as many
 * as before.
 */
u32 __rz_live_blocks;

/* Linked only into programs with threads. */
extern __attribute__((weak)) u32 __rz_thread_count;
#pragma weak __rz_race_range
#pragma weak __rz_race_fresh
static inline int has_threads(void) { return &__rz_thread_count && __rz_thread_count > 1; }

enum heap_event { EVENT_MALLOC, EVENT_CALLOC, EVENT_REALLOC, EVENT_MEMALIGN, EVENT_FREE };

/* The address of memory for a header and an aligned block after it; 0 if there is none. */
u32 __rz_block_take(u32 bytes, u32 alignment) RZ_IMPORT(__rz_block_take);
void __rz_block_give(u32 header) RZ_IMPORT(__rz_block_give);
void __rz_heap_event(u32 event, u32 old, u32 made, u32 bytes, u32 alignment, u32 stack) RZ_IMPORT(__rz_heap_event);

/* The most bytes that the program has allocated at once, without what the library keeps for
 * itself, and what is allowed. Exported for TypeScript. */
u32 __rz_heap_mark, __rz_heap_allowed = ~0u, __rz_allocations_allowed = ~0u;
static u32 heap_bytes, allocations, is_librarys;

static u32 is_outside, is_traced;
static u32 free_lists[CLASSES];
/* The bytes in the lists of classes, and from how many on they are merged. */
#define FEWEST_TO_MERGE (64u << 20)
static u32 listed_bytes, worth_merging = FEWEST_TO_MERGE;
/* Merged blocks, in the order of their addresses. Shorter ones wait until they have neighbours. */
#define SHORTEST_RUN 1024u
static u32 runs;
/* How many runs, or blocks of a class, are tried before the heap grows. */
#define MOST_TRIED 64u
static u32 quarantine_first, quarantine_last, quarantine_bytes;

static struct block *block_at(u32 header) { return raw(header); }
static u32 total_of(const struct block *b) { return b->total_and_state & ~(u32)BLOCK_STATES; }
static u32 state_of(const struct block *b) { return b->total_and_state & BLOCK_STATES; }

/* The class whose payload holds `bytes`, and that payload. */
static u32 class_of(u64 bytes, u32 *payload) {
  if (bytes <= 1024) {
    u32 units = bytes == 0 ? 1 : (u32)(bytes + 15) >> 4;
    *payload = units << 4;
    return units - 1;
  }
  u32 log = 63 - (u32)__builtin_clzl(bytes - 1);
  u32 step = (u32)((bytes - 1) >> (log - 5)) & (STEPS - 1);
  *payload = (STEPS + 1 + step) << (log - 5);
  return SMALL_CLASSES + (log - 10) * STEPS + step;
}

static void trace(enum heap_event event, const void *old, const void *made, u64 bytes, u32 alignment) {
  if (is_traced) __rz_heap_event(event, address_of(old), address_of(made), (u32)bytes, alignment, __rz_stack_id());
}

/* Memory that belongs to no block; the heap can still be walked. */
static void fill_gap(u32 header, u32 total) {
  struct block *gap = block_at(header);
  gap->total_and_state = total | BLOCK_FREE;
  gap->number = gap->bytes = gap->allocated = 0;
}

static void retire(u32 header) {
  const struct block *b = block_at(header);
  if (b->number) retire_heap(b->number, header + HEADER, b->bytes, b->allocated, b->dead.freed);
}

static u32 *list_of(u32 total) {
  u32 payload;
  return free_lists + class_of(total - HEADER, &payload);
}

static void add_to_list(u32 header) {
  u32 total = total_of(block_at(header)), *list = list_of(total);
  block_at(header)->dead.next = *list;
  *list = header;
  listed_bytes += total;
}

static u32 misfit_of(u32 header, u32 alignment) { return -(header + HEADER) & (alignment - 1); }

/* A free block of this size; 0 if there is none. */
static u32 take_from_list(u32 total, u32 alignment) {
  u32 *link = list_of(total);
  for (u32 tried = 0; *link && tried < MOST_TRIED; tried++, link = &block_at(*link)->dead.next) {
    u32 header = *link;
    if (misfit_of(header, alignment)) continue;
    *link = block_at(header)->dead.next;
    listed_bytes -= total;
    retire(header);
    return header;
  }
  return 0;
}

/* The first part of a run; 0 if none of those that are tried is long enough. */
static u32 take_from_run(u32 total, u32 alignment, u32 most) {
  u32 *link = &runs;
  for (u32 tried = 0; *link && tried < most; tried++, link = &block_at(*link)->dead.next) {
    u32 run = *link, all = total_of(block_at(run)), gap = misfit_of(run, alignment), next = block_at(run)->dead.next;
    if (all < (u64)gap + total) continue;
    u32 header = run + gap, rest = header + total, left = all - gap - total;
    *link = next;
    if (left > 0) {
      fill_gap(rest, left);
      __rz_disown(rest, HEADER, NO_BLOCK, SHADOW_REDZONE);
    }
    if (left >= SHORTEST_RUN) block_at(rest)->dead.next = *link, *link = rest;
    if (gap > 0) fill_gap(run, gap);
    if (gap >= SHORTEST_RUN) block_at(run)->dead.next = *link, *link = run;
    __rz_disown(header, HEADER, NO_BLOCK, SHADOW_REDZONE);
    return header;
  }
  return 0;
}

/* Merges neighbouring free blocks. One without a free neighbour stays in the list of its class. */
static void merge_free_blocks(void) {
  u32 *last = &runs;
  for (u32 class = 0; class < CLASSES; class++) free_lists[class] = 0;
  runs = listed_bytes = 0;
  for (u32 at = __rz_heap_start, end; at < __rz_heap_top; at = end) {
    struct block *b = block_at(at);
    u32 total = total_of(b);
    end = at + total;
    if (state_of(b) != BLOCK_FREE) continue;
    while (end < __rz_heap_top && state_of(block_at(end)) == BLOCK_FREE) {
      retire(end);
      end += total_of(block_at(end));
    }
    if (end == at + total && b->number) {
      add_to_list(at);
      continue;
    }
    retire(at);
    fill_gap(at, end - at);
    if (end - at < SHORTEST_RUN) continue;
    b->dead.next = 0;
    *last = at;
    last = &b->dead.next;
  }
  worth_merging = 2 * listed_bytes + FEWEST_TO_MERGE;
}

/* The header becomes inaccessible; that of a block which is used again has stayed so. */
static u32 take(u32 *payload, u64 bytes, u32 alignment) {
  if (is_outside) {
    *payload = bytes == 0 ? 16 : ((u32)bytes + 15) & ~15u;
    u32 taken = __rz_block_take(HEADER + *payload, alignment);
    if (taken) __rz_disown(taken, HEADER, NO_BLOCK, SHADOW_REDZONE);
    return taken;
  }
  class_of(bytes, payload);
  u32 total = HEADER + *payload, header = take_from_list(total, alignment);
  if (header) return header;
  if (listed_bytes >= worth_merging && listed_bytes > (__rz_heap_top - __rz_heap_start) / 2) merge_free_blocks();
  if ((header = take_from_run(total, alignment, MOST_TRIED))) return header;
  u32 gap = misfit_of(__rz_heap_top, alignment);
  if ((u64)__rz_heap_top + gap + total > __rz_heap_limit) {
    if (listed_bytes >= total) merge_free_blocks();
    return take_from_run(total, alignment, ~0u);
  }
  if (gap) fill_gap(__rz_heap_top, gap);
  header = __rz_heap_top + gap;
  __rz_heap_top = header + total;
  __rz_disown(header, HEADER, NO_BLOCK, SHADOW_REDZONE);
  /* The redzone after the last block, until the next header is written. */
  fill(SHADOW + (__rz_heap_top >> 3), HEADER >> 3, SHADOW_REDZONE);
  return header;
}

static void *failed(int why) {
  if (__errno_location) *(int *)raw(address_of(__errno_location())) = why;
  return 0;
}

static void count_block(u32 bytes) {
  heap_bytes += bytes;
  allocations++;
  if (heap_bytes > __rz_heap_mark) {
    __rz_heap_mark = heap_bytes;
    if (heap_bytes > __rz_heap_allowed) __rz_report_budget(BUDGET_HEAP, heap_bytes, 0);
  }
  if (allocations > __rz_allocations_allowed) __rz_report_budget(BUDGET_ALLOCATIONS, allocations, 0);
}

/* `written` is how many bytes at the start the caller initialises: whole granules, or all. */
static void *allocate(u64 bytes, u32 alignment, int zeroed, u32 written) {
  __rz_without_memory = 0;
  if (bytes >= TOO_LARGE_FOR_ANY_MACHINE) return failed(ENOMEM);
  u32 payload, header = bytes > CLIENT_END ? 0 : take(&payload, bytes, alignment);
  if (!header) {
    __rz_without_memory = 1;
    __rz_report_out_of_memory(bytes, 0);
    return failed(ENOMEM);
  }
  struct block *b = block_at(header);
  u32 address = header + HEADER, number = fresh_number();
  b->total_and_state = (HEADER + payload) | BLOCK_LIVE;
  b->number = number;
  b->bytes = (u32)bytes;
  b->allocated = __rz_stack_id();
  __rz_count_allocation(b->allocated);
  if (!is_librarys) count_block((u32)bytes);
  __rz_live_blocks++;
  if (zeroed) fill(raw(address), (u32)bytes, 0);
  if (__rz_label_clear) __rz_label_clear(address, (u32)bytes);
  __rz_own(address, (u32)bytes, number, zeroed ? (u32)bytes : written);
  if (has_threads()) __rz_race_fresh(address, bytes);
  u32 end = (address + (u32)bytes + 7) & ~7u;
  if (end != address + payload) __rz_disown(end, address + payload - end, NO_BLOCK, SHADOW_REDZONE);
  return pointer(address, number);
}

static void release(u32 header, u32 stack) {
  struct block *b = block_at(header);
  __rz_live_blocks--;
  if (!is_librarys) heap_bytes -= b->bytes;
  if (has_threads()) __rz_race_range(header + HEADER, b->bytes, RACE_FREE);
  __rz_disown(header + HEADER, b->bytes, NO_BLOCK, SHADOW_FREED);
  b->total_and_state = total_of(b) | BLOCK_QUARANTINED;
  b->dead.freed = stack;
  b->dead.next = 0;
  if (quarantine_last) block_at(quarantine_last)->dead.next = header;
  else quarantine_first = header;
  quarantine_last = header;
  quarantine_bytes += total_of(b);
  while (quarantine_bytes > __rz_quarantine_limit) {
    u32 oldest = quarantine_first;
    struct block *o = block_at(oldest);
    quarantine_first = o->dead.next;
    if (!quarantine_first) quarantine_last = 0;
    quarantine_bytes -= total_of(o);
    o->total_and_state = total_of(o) | BLOCK_FREE;
    if (is_outside) {
      retire(oldest);
      __rz_block_give(oldest);
    } else add_to_list(oldest);
  }
}

/* The live block that begins at p, or 0 if free(p) is an error. */
static u32 live_block(const void *p) {
  u32 address = address_of(p), number = effective_number(p), header = address - HEADER;
  if (address < __rz_heap_start + HEADER || address >= __rz_heap_top || address & 15 || number == 0) return 0;
  if (TAGS[header >> 3] != NO_BLOCK) return 0;
  const struct block *b = block_at(header);
  if (b->number != number || state_of(b) != BLOCK_LIVE) return 0;
  /* A block of 0 bytes owns no granule. */
  return b->bytes == 0 || owned_by(address >> 3, number) ? header : 0;
}

GIVES_WAY void *malloc(u64 bytes) {
  void *made = allocate(bytes, 16, 0, 0);
  trace(EVENT_MALLOC, 0, made, bytes, 16);
  return made;
}

GIVES_WAY void *calloc(u64 count, u64 each) {
  u64 bytes;
  if (__builtin_mul_overflow(count, each, &bytes)) return failed(ENOMEM);
  void *made = allocate(bytes, 16, 1, 0);
  trace(EVENT_CALLOC, 0, made, bytes, 16);
  return made;
}

GIVES_WAY void free(void *p) {
  if (!p) return;
  u32 header = live_block(p);
  if (header) {
    trace(EVENT_FREE, p, 0, 0, 0);
    release(header, __rz_stack_id());
  } else __rz_report_access(address_of(p), number_of(p), 0, ACCESS_FREE, 0);
}

void *__rz_input_block(u64 bytes) { return allocate(bytes, 16, 1, 0); }

/*
 * The run is over and its memory is about to be restored, so the block is only no longer counted:
 * its granules keep their owner.
 */
void __rz_input_free(void *p) {
  u32 header = live_block(p);
  if (header) {
    struct block *b = block_at(header);
    b->total_and_state = total_of(b) | BLOCK_FREE;
    __rz_live_blocks--;
  } else __rz_report_access(address_of(p), number_of(p), 0, ACCESS_FREE, 0);
}

void *__rz_library_block(u64 bytes) {
  is_librarys = 1;
  void *made = calloc(1, bytes);
  is_librarys = 0;
  if (made) block_at(address_of(made) - HEADER)->total_and_state |= BLOCK_OF_LIBRARY;
  return made;
}

void __rz_library_free(void *p) {
  struct block *b = block_at(address_of(p) - HEADER);
  /*
   * A block that was freed before (with --keep-going), or an invalid pointer, is reported as usual.
   */
  if (p && address_of(p) >= __rz_heap_start + HEADER && address_of(p) < __rz_heap_top && state_of(b) == BLOCK_OF_LIBRARY)
    b->total_and_state = total_of(b) | BLOCK_LIVE;
  is_librarys = 1;
  free(p);
  is_librarys = 0;
}

static void *resize(void *p, u64 bytes) {
  if (!p) return allocate(bytes, 16, 0, 0);
  u32 header = live_block(p);
  if (!header) {
    __rz_report_access(address_of(p), number_of(p), 0, ACCESS_REALLOC, 0);
    return 0;
  }
  if (bytes == 0) {
    release(header, __rz_stack_id());
    return 0;
  }
  const struct block *old = block_at(header);
  u32 kept = old->bytes < bytes ? old->bytes : (u32)bytes, written = __rz_plain_bytes(p, kept);
  void *made = allocate(bytes, 16, 0, written);
  if (!made) return 0;
  if (written < kept) __rz_copy_init(address_of(made) + written, address_of(p) + written, kept - written);
  if (__rz_label_copy) __rz_label_copy(made, p, kept, 0);
  __builtin_memcpy(raw(address_of(made)), raw(address_of(p)), kept);
  release(header, block_at(address_of(made) - HEADER)->allocated);
  return made;
}

GIVES_WAY void *realloc(void *p, u64 bytes) {
  void *made = resize(p, bytes);
  trace(EVENT_REALLOC, p, made, bytes, 16);
  return made;
}

GIVES_WAY void *reallocarray(void *p, u64 count, u64 each) {
  u64 bytes;
  return __builtin_mul_overflow(count, each, &bytes) ? failed(ENOMEM) : realloc(p, bytes);
}

GIVES_WAY void *aligned_alloc(u64 alignment, u64 bytes) {
  if (alignment == 0 || alignment & (alignment - 1) || alignment > 0x10000000) return failed(EINVAL);
  void *made = allocate(bytes, alignment < 16 ? 16 : (u32)alignment, 0, 0);
  trace(EVENT_MEMALIGN, 0, made, bytes, (u32)alignment);
  return made;
}
GIVES_WAY void *memalign(u64 alignment, u64 bytes) { return aligned_alloc(alignment, bytes); }
GIVES_WAY void *valloc(u64 bytes) { return aligned_alloc(4096, bytes); }

GIVES_WAY u64 malloc_usable_size(void *p) {
  u32 header = p ? live_block(p) : 0;
  return header ? block_at(header)->bytes : 0;
}

GIVES_WAY int posix_memalign(void **result, u64 alignment, u64 bytes) {
  if (alignment < sizeof(void *) || alignment & (alignment - 1)) return EINVAL;
  void *made = aligned_alloc(alignment, bytes);
  if (!made) return ENOMEM;
  __rz_range_write(result, sizeof *result);
  if (__rz_label_clear) __rz_label_clear(address_of(result), sizeof *result);
  if (__rz_range_allowed(result, sizeof *result) == sizeof *result) *result = made;
  return 0;
}

/* Called once, before everything else. */
void __rz_heap_start_at(u32 start, u32 limit, u32 quarantine, u32 outside, u32 traced) {
  __rz_heap_start = __rz_heap_top = (start + 15) & ~15u;
  __rz_heap_limit = limit;
  __rz_quarantine_limit = quarantine;
  is_outside = outside;
  is_traced = traced;
}
