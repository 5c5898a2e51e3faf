/*
 * bzero, explicit_bzero, memset_explicit. The barrier keeps the compiler from removing dead stores,
 * which erase secrets.
 */
#include <string.h>

void bzero(void *memory, size_t n) { memset(memory, 0, n); }

void *memset_explicit(void *memory, int byte, size_t n) {
  memset(memory, byte, n);
  __asm__ volatile("" : : "r"(memory) : "memory");
  return memory;
}

void explicit_bzero(void *memory, size_t n) { memset_explicit(memory, 0, n); }
