/*
 * rand_r: three steps of a linear congruential generator give 11, 10 and 10 bits. The results are
 * equal to those of GNU's library.
 */
#include <stdlib.h>

static unsigned step(unsigned int *seed, unsigned bits) {
  *seed = *seed * 1103515245u + 12345u;
  return *seed >> 16 & ((1u << bits) - 1);
}

int rand_r(unsigned int *seed) {
  unsigned high = step(seed, 11), middle = step(seed, 10), low = step(seed, 10);
  return (int)((high << 10 ^ middle) << 10 ^ low);
}
