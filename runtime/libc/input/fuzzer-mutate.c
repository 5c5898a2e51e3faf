/*
 * LLVMFuzzerMutate: what libFuzzer offers to a LLVMFuzzerCustomMutator, one small change of the
 * input. The fuzzer sets the seed before it calls the mutator, so what comes out depends on nothing
 * else.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

uint32_t __rz_mutation_seed;

/* xorshift, which stays at zero. */
static uint32_t below(uint32_t bound) {
  uint32_t x = __rz_mutation_seed ? __rz_mutation_seed : 1;
  x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  return (__rz_mutation_seed = x) % bound;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
  uint32_t kind = size == 0 ? 3 : below(6);
  size_t at = size == 0 ? 0 : below((uint32_t)size);
  switch (kind) {
    case 0: data[at] ^= (uint8_t)(1u << below(8)); return size;
    case 1: data[at] = (uint8_t)below(256); return size;
    case 2: data[at] += (uint8_t)(below(71) - 35); return size;
    case 3:
      if (size >= most) return size;
      memmove(data + at + 1, data + at, size - at);
      data[at] = (uint8_t)below(256);
      return size + 1;
    case 4:
      if (size < 2) return size;
      memmove(data + at, data + at + 1, size - at - 1);
      return size - 1;
    default: data[at] = data[below((uint32_t)size)]; return size;
  }
}
