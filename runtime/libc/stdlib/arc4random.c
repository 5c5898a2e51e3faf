/* arc4random, arc4random_buf, arc4random_uniform: random numbers of the host. */
#include <stdlib.h>

#include "engine.h"
#include "host.h"

void arc4random_buf(void *memory, size_t n) {
  __rz_range_write(memory, n);
  __host_random(memory, n);
}

unsigned int arc4random(void) {
  unsigned int value = 0;
  arc4random_buf(&value, sizeof value);
  return value;
}

/* Values below 2^32 mod bound are drawn again, so that each remainder is equally likely. */
unsigned int arc4random_uniform(unsigned int bound) {
  if (bound < 2) return 0;
  unsigned int unfair = (0u - bound) % bound, value;
  do value = arc4random();
  while (value < unfair);
  return value % bound;
}
