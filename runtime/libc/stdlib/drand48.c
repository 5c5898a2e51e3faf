/* The 48-bit linear congruential generator of POSIX: x = (a x + c) mod 2^48. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

#define DEFAULT_MULTIPLIER 0x5deece66d
#define DEFAULT_ADDEND 0xb

static uint64_t multiplier = DEFAULT_MULTIPLIER, addend = DEFAULT_ADDEND;
static unsigned short shared[3];

static uint64_t join(const unsigned short words[3]) { return (uint64_t)words[2] << 32 | (uint64_t)words[1] << 16 | words[0]; }

static uint64_t step(unsigned short state[3]) {
  uint64_t x = join(state) * multiplier + addend;
  for (int i = 0; i < 3; i++) state[i] = (unsigned short)(x >> 16 * i);
  return x & 0xffffffffffff;
}

double erand48(unsigned short state[3]) { return (double)step(state) * 0x1p-48; }

long nrand48(unsigned short state[3]) { return (long)(step(state) >> 17); }

long jrand48(unsigned short state[3]) { return (int32_t)(step(state) >> 16); }

double drand48(void) { return erand48(shared); }

long lrand48(void) { return nrand48(shared); }

long mrand48(void) { return jrand48(shared); }

unsigned short *seed48(unsigned short state[3]) {
  static unsigned short previous[3];
  memcpy(previous, shared, sizeof previous);
  __rz_range_output(state, sizeof shared);
  memcpy(shared, state, sizeof shared);
  multiplier = DEFAULT_MULTIPLIER;
  addend = DEFAULT_ADDEND;
  return previous;
}

void srand48(long seed) {
  unsigned short state[3] = {0x330e, (unsigned short)seed, (unsigned short)((unsigned long)seed >> 16)};
  seed48(state);
}

void lcong48(unsigned short parameters[7]) {
  memcpy(shared, parameters, sizeof shared);
  multiplier = join(parameters + 3);
  addend = parameters[6];
}
