/*
 * malloc and its family for `check --no-checks --malloc NAME`: every call is forwarded to the
 * chosen malloc in TypeScript, which works on this memory. There is no layer in between, so the
 * program can corrupt the malloc's inline metadata.
 *
 * Memory has 32-bit addresses. A size that does not fit is refused, except that sizes just below
 * 2^64, which are negative numbers by mistake or on purpose, stay just below 2^32: arithmetic on
 * them then wraps as on the machine that is modelled.
 */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

#define IMPORT(name) __attribute__((import_module("redzone"), import_name(#name))) name

uint32_t IMPORT(__rz_malloc)(uint32_t bytes);
uint32_t IMPORT(__rz_calloc)(uint32_t count, uint32_t each);
uint32_t IMPORT(__rz_realloc)(uint32_t address, uint32_t bytes);
uint32_t IMPORT(__rz_memalign)(uint32_t alignment, uint32_t bytes);
uint32_t IMPORT(__rz_usable_size)(uint32_t address);
void IMPORT(__rz_free)(uint32_t address);

static uint32_t size_of(size_t n) { return n <= UINT32_MAX || n >> 32 == UINT32_MAX ? (uint32_t)n : UINT32_MAX; }

/*
 * A pointer whose upper half is not 0 belongs to no block: it becomes an address beyond all memory.
 */
static uint32_t address_of(const void *block) {
  return (uintptr_t)block <= UINT32_MAX ? (uint32_t)(uintptr_t)block : UINT32_MAX - 15;
}

static void *block_at(uint32_t address) {
  if (address == 0) errno = ENOMEM;
  return (void *)(uintptr_t)address;
}

void *malloc(size_t n) { return block_at(__rz_malloc(size_of(n))); }

void *calloc(size_t count, size_t each) { return block_at(__rz_calloc(size_of(count), size_of(each))); }

void *realloc(void *block, size_t n) {
  uint32_t address = __rz_realloc(address_of(block), size_of(n));
  return n == 0 ? NULL : block_at(address);
}

void *reallocarray(void *block, size_t count, size_t each) {
  size_t n;
  if (__builtin_mul_overflow(count, each, &n)) return block_at(0);
  return realloc(block, n);
}

void free(void *block) {
  if (block) __rz_free(address_of(block));
}

void *memalign(size_t alignment, size_t n) {
  return block_at(__rz_memalign(size_of(alignment), size_of(n)));
}

void *aligned_alloc(size_t alignment, size_t n) { return memalign(alignment, n); }

void *valloc(size_t n) { return memalign(4096, n); }

int posix_memalign(void **block, size_t alignment, size_t n) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  int saved = errno;
  void *result = memalign(alignment, n);
  errno = saved;
  if (!result) return ENOMEM;
  *block = result;
  return 0;
}

size_t malloc_usable_size(void *block) { return block ? __rz_usable_size(address_of(block)) : 0; }
