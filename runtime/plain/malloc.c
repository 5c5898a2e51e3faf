/*
 * The allocator of runs without an engine: `check --no-checks` and the tests of the library itself.
 *
 * Memory is a sequence of chunks, each a multiple of 16 bytes, that starts 8 bytes before an
 * address divisible by 16:
 *
 *      chunk                                          next chunk
 *      | header  | the program's bytes ...           | header | ...
 *      ^ 8 mod 16 ^ 0 mod 16: what malloc returns
 *
 *   header          size of the chunk | IN_USE | PREVIOUS_IN_USE
 *   a free chunk    header, next, previous, ..., and its size again in the last 8 bytes (the footer)
 *
 * A small chunk (up to 512 bytes) that is freed goes to the list of its exact size, stays marked as
 * in use and is never merged: malloc and free of small blocks are a pop and a push. A large chunk
 * is merged with its free neighbours and put in a bin; bins are a quarter of a power of two wide,
 * so that any chunk of a higher bin fits, and a bit map finds the next bin that is not empty. What
 * no bin supplies is cut from the top chunk, which memory.grow extends.
 *
 * Invariants
 *   - No two neighbours are both free; PREVIOUS_IN_USE is correct, and a footer is valid
 *     exactly if it is clear.
 *   - The top chunk is in no bin, is followed by nothing, and its predecessor is in use.
 *   - A bin's bit is set exactly if its list is not empty.
 *
 * Why not one list of free blocks: a program that allocates many sizes would search it at each
 * call.
 */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 16
#define HEADER_SIZE sizeof(size_t)
#define MINIMUM_SIZE 32 /* header, two links, footer */
#define SMALL_LIMIT 512
#define SMALL_LISTS (SMALL_LIMIT / ALIGNMENT + 1)
#define BINS 128
#define WASM_PAGE 65536
#define GROWTH_STEP (16 * WASM_PAGE)

#define IN_USE ((size_t)1)
#define PREVIOUS_IN_USE ((size_t)2)
#define FLAGS (IN_USE | PREVIOUS_IN_USE)

/*
 * The program's stores to a block and ours to the same bytes may not be reordered by their types.
 */
typedef struct __attribute__((may_alias)) Chunk {
  size_t header;
  struct Chunk *next, *previous; /* only in a free chunk */
} Chunk;

typedef size_t __attribute__((may_alias)) Word;

extern unsigned char __heap_base; /* set by the linker: the first byte after the program's data and stack */

static Chunk *small_lists[SMALL_LISTS];
static Chunk *bins[BINS];
static uint64_t occupied[BINS / 64];
static Chunk *top;
static uintptr_t memory_end;

static size_t size_of(const Chunk *chunk) { return chunk->header & ~FLAGS; }

static Chunk *at_offset(const Chunk *chunk, size_t offset) { return (Chunk *)((uintptr_t)chunk + offset); }

static Chunk *chunk_after(const Chunk *chunk) { return at_offset(chunk, size_of(chunk)); }

static void *block_of(Chunk *chunk) { return (char *)chunk + HEADER_SIZE; }

static Chunk *chunk_of(void *block) { return (Chunk *)((uintptr_t)block - HEADER_SIZE); }

/* The size of the chunk for a block of n bytes, or 0 if n is too large. */
static size_t chunk_size(size_t n) {
  if (n > PTRDIFF_MAX - 2 * WASM_PAGE) return 0;
  size_t size = (n + HEADER_SIZE + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  return size < MINIMUM_SIZE ? MINIMUM_SIZE : size;
}

/* ---- bins ---- */

/* Four bins for each power of two: the two bits below the leading one choose among them. */
static unsigned bin_of(size_t size) {
  unsigned log = 63 - (unsigned)__builtin_clzll(size);
  unsigned bin = (log - 5) * 4 + (unsigned)(size >> (log - 2) & 3);
  return bin < BINS ? bin : BINS - 1;
}

static void put_in_bin(Chunk *chunk) {
  unsigned bin = bin_of(size_of(chunk));
  chunk->previous = NULL;
  chunk->next = bins[bin];
  if (chunk->next) chunk->next->previous = chunk;
  bins[bin] = chunk;
  occupied[bin / 64] |= (uint64_t)1 << bin % 64;
}

static void take_from_bin(Chunk *chunk) {
  unsigned bin = bin_of(size_of(chunk));
  if (chunk->next) chunk->next->previous = chunk->previous;
  if (chunk->previous) {
    chunk->previous->next = chunk->next;
  } else {
    bins[bin] = chunk->next;
    if (!chunk->next) occupied[bin / 64] &= ~((uint64_t)1 << bin % 64);
  }
}

/* The first bin from `bin` on that is not empty, or BINS. */
static unsigned next_occupied(unsigned bin) {
  for (unsigned word = bin / 64; word < BINS / 64; word++) {
    uint64_t bits = occupied[word];
    if (word == bin / 64) bits &= ~(uint64_t)0 << bin % 64;
    if (bits != 0) return word * 64 + (unsigned)__builtin_ctzll(bits);
  }
  return BINS;
}

/* ---- large chunks ---- */

/*
 * Marks the bytes from `chunk` on as one free chunk, merged with its neighbours. Its own header's
 * PREVIOUS_IN_USE holds.
 */
static void release(Chunk *chunk, size_t size) {
  if (!(chunk->header & PREVIOUS_IN_USE)) {
    size_t before = *(Word *)((uintptr_t)chunk - sizeof(Word));
    chunk = (Chunk *)((uintptr_t)chunk - before);
    take_from_bin(chunk);
    size += before;
  }
  Chunk *after = at_offset(chunk, size);
  if (after == top) {
    size += size_of(top);
    top = chunk;
    chunk->header = size | PREVIOUS_IN_USE;
    return;
  }
  if (!(after->header & IN_USE)) {
    take_from_bin(after);
    size += size_of(after);
    after = at_offset(chunk, size);
  }
  chunk->header = size | PREVIOUS_IN_USE;
  *(Word *)((uintptr_t)after - sizeof(Word)) = size;
  after->header &= ~PREVIOUS_IN_USE;
  put_in_bin(chunk);
}

/* Releases the part of a used chunk of `size` bytes after the first `wanted`. */
static void trim(Chunk *chunk, size_t size, size_t wanted) {
  if (size - wanted < MINIMUM_SIZE) return;
  chunk->header = wanted | (chunk->header & FLAGS);
  Chunk *rest = at_offset(chunk, wanted);
  rest->header = PREVIOUS_IN_USE;
  release(rest, size - wanted);
}

/* Makes the top chunk longer than `size`; 0, or -1 if memory is exhausted. */
static int grow(size_t size) {
  size_t pages = (size + MINIMUM_SIZE + GROWTH_STEP - 1) / GROWTH_STEP * (GROWTH_STEP / WASM_PAGE);
  if (!top) {
    memory_end = __builtin_wasm_memory_size(0) * WASM_PAGE;
    uintptr_t start = ((uintptr_t)&__heap_base + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + HEADER_SIZE;
    if (start + MINIMUM_SIZE <= memory_end) {
      top = (Chunk *)start;
      top->header = ((memory_end - start) & ~(size_t)(ALIGNMENT - 1)) | PREVIOUS_IN_USE;
      if (size_of(top) >= size + MINIMUM_SIZE) return 0;
    }
  }
  size_t old_pages = __builtin_wasm_memory_grow(0, pages);
  if (old_pages == (size_t)-1) return -1;
  uintptr_t start = old_pages * WASM_PAGE;
  if (top && start == memory_end) {
    memory_end = start + pages * WASM_PAGE;
    top->header += pages * WASM_PAGE;
    return 0;
  }
  /*
   * Other code grew the memory in between: the old top ends in a chunk that is never freed, and a
   * new one begins.
   */
  Chunk *old = top;
  memory_end = start + pages * WASM_PAGE;
  top = (Chunk *)(start + HEADER_SIZE);
  top->header = (pages * WASM_PAGE - ALIGNMENT) | PREVIOUS_IN_USE;
  if (!old) return 0;
  if (size_of(old) < 2 * MINIMUM_SIZE) {
    old->header |= IN_USE;
  } else {
    size_t usable = size_of(old) - MINIMUM_SIZE;
    at_offset(old, usable)->header = MINIMUM_SIZE | IN_USE;
    release(old, usable);
  }
  return 0;
}

/* A chunk of at least `size` bytes, in use, or null. */
static Chunk *take_large(size_t size) {
  /*
   * A chunk of the size's own bin may be too short, so that list is searched; chunks of higher bins
   * all fit.
   */
  unsigned bin = bin_of(size);
  Chunk *chunk = bins[bin];
  while (chunk && size_of(chunk) < size) chunk = chunk->next;
  if (!chunk) {
    bin = bin + 1 < BINS ? next_occupied(bin + 1) : BINS;
    if (bin < BINS) chunk = bins[bin];
  }
  if (chunk) {
    take_from_bin(chunk);
    chunk->header |= IN_USE;
    chunk_after(chunk)->header |= PREVIOUS_IN_USE;
    trim(chunk, size_of(chunk), size);
    return chunk;
  }
  if ((!top || size_of(top) < size + MINIMUM_SIZE) && grow(size) != 0) return NULL;
  chunk = top;
  size_t rest = size_of(top) - size;
  top = at_offset(chunk, size);
  top->header = rest | PREVIOUS_IN_USE;
  chunk->header = size | IN_USE | PREVIOUS_IN_USE;
  return chunk;
}

/* ---- the functions of <stdlib.h> and <malloc.h> ---- */

static void *out_of_memory(void) {
  errno = ENOMEM;
  return NULL;
}

void *malloc(size_t n) {
  size_t size = chunk_size(n);
  if (size == 0) return out_of_memory();
  if (size <= SMALL_LIMIT) {
    Chunk **list = &small_lists[size / ALIGNMENT];
    Chunk *chunk = *list;
    if (chunk) {
      *list = chunk->next;
      return block_of(chunk);
    }
  }
  Chunk *chunk = take_large(size);
  return chunk ? block_of(chunk) : out_of_memory();
}

void free(void *block) {
  if (!block) return;
  Chunk *chunk = chunk_of(block);
  size_t size = size_of(chunk);
  if (size > SMALL_LIMIT) {
    release(chunk, size);
    return;
  }
  Chunk **list = &small_lists[size / ALIGNMENT];
  chunk->next = *list;
  *list = chunk;
}

void *calloc(size_t count, size_t size) {
  size_t n;
  if (__builtin_mul_overflow(count, size, &n)) return out_of_memory();
  void *block = malloc(n);
  return block ? memset(block, 0, n) : NULL;
}

/* Extends the chunk into a free neighbour or the top; returns whether that was enough. */
static int extend(Chunk *chunk, size_t wanted) {
  size_t size = size_of(chunk);
  Chunk *after = chunk_after(chunk);
  if (after == top) {
    if (size_of(top) < wanted - size + MINIMUM_SIZE && grow(wanted - size) != 0) return 0;
    if (after != top) return 0; /* the memory was not contiguous */
    size_t rest = size_of(top) - (wanted - size);
    top = at_offset(chunk, wanted);
    top->header = rest | PREVIOUS_IN_USE;
    chunk->header = wanted | (chunk->header & FLAGS);
    return 1;
  }
  if ((after->header & IN_USE) || size + size_of(after) < wanted) return 0;
  take_from_bin(after);
  size += size_of(after);
  chunk->header = size | (chunk->header & FLAGS);
  chunk_after(chunk)->header |= PREVIOUS_IN_USE;
  trim(chunk, size, wanted);
  return 1;
}

void *realloc(void *block, size_t n) {
  if (!block) return malloc(n);
  size_t wanted = chunk_size(n);
  if (wanted == 0) return out_of_memory();
  Chunk *chunk = chunk_of(block);
  size_t size = size_of(chunk);
  if (wanted <= size) {
    if (size > SMALL_LIMIT && wanted > SMALL_LIMIT) trim(chunk, size, wanted);
    if (size <= SMALL_LIMIT || wanted > SMALL_LIMIT) return block;
  } else if (wanted > SMALL_LIMIT && size > SMALL_LIMIT && extend(chunk, wanted)) {
    return block;
  }
  void *moved = malloc(n);
  if (!moved) return NULL;
  size_t kept = size - HEADER_SIZE;
  memcpy(moved, block, kept < n ? kept : n);
  free(block);
  return moved;
}

void *reallocarray(void *block, size_t count, size_t size) {
  size_t n;
  if (__builtin_mul_overflow(count, size, &n)) return out_of_memory();
  return realloc(block, n);
}

/*
 * Takes a chunk that is long enough and releases the parts before and after the aligned block. The
 * chunk is longer than SMALL_LIMIT, since pieces of exact small sizes could not be
 * released.
 */
void *memalign(size_t alignment, size_t n) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    errno = EINVAL;
    return NULL;
  }
  if (alignment <= ALIGNMENT) return malloc(n);
  size_t size = chunk_size(n < SMALL_LIMIT ? SMALL_LIMIT : n);
  if (size == 0 || alignment > PTRDIFF_MAX / 4 || size > PTRDIFF_MAX / 4) return out_of_memory();
  Chunk *chunk = take_large(size + alignment + MINIMUM_SIZE);
  if (!chunk) return out_of_memory();
  uintptr_t first = (uintptr_t)block_of(chunk), aligned = (first + alignment - 1) & ~(alignment - 1);
  if (aligned != first && aligned - first < MINIMUM_SIZE) aligned += alignment;
  if (aligned != first) {
    size_t before = aligned - first, whole = size_of(chunk);
    Chunk *rest = at_offset(chunk, before);
    rest->header = (whole - before) | FLAGS;
    release(chunk, before);
    chunk = rest;
  }
  trim(chunk, size_of(chunk), size);
  return block_of(chunk);
}

void *aligned_alloc(size_t alignment, size_t n) { return memalign(alignment, n); }

int posix_memalign(void **block, size_t alignment, size_t n) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  int saved = errno;
  void *result = memalign(alignment, n);
  errno = saved;
  if (!result) return ENOMEM;
  *block = result;
  return 0;
}

void *valloc(size_t n) { return memalign(WASM_PAGE, n); }

size_t malloc_usable_size(void *block) { return block ? size_of(chunk_of(block)) - HEADER_SIZE : 0; }
