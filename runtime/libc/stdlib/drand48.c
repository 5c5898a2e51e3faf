/* The 48-bit linear congruential generator of POSIX: x = (a x + c) mod 2^48. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

#define DEFAULT_MULTIPLIER 0x5deece66d
#define DEFAULT_ADDEND 0xb

static struct drand48_data shared = {.__multiplier = DEFAULT_MULTIPLIER, .__addend = DEFAULT_ADDEND, .__is_set = 1};

static uint64_t join(const unsigned short words[3]) { return (uint64_t)words[2] << 32 | (uint64_t)words[1] << 16 | words[0]; }

/* A generator of zeroes has the usual parameters. */
static uint64_t step(unsigned short state[3], struct drand48_data *generator) {
  if (!generator->__is_set) {
    generator->__multiplier = DEFAULT_MULTIPLIER;
    generator->__addend = DEFAULT_ADDEND;
    generator->__is_set = 1;
  }
  uint64_t x = join(state) * generator->__multiplier + generator->__addend;
  for (int i = 0; i < 3; i++) state[i] = (unsigned short)(x >> 16 * i);
  return x & 0xffffffffffff;
}

int erand48_r(unsigned short state[3], struct drand48_data *generator, double *result) {
  *result = (double)step(state, generator) * 0x1p-48;
  return 0;
}

int nrand48_r(unsigned short state[3], struct drand48_data *generator, long *result) {
  *result = (long)(step(state, generator) >> 17);
  return 0;
}

int jrand48_r(unsigned short state[3], struct drand48_data *generator, long *result) {
  *result = (int32_t)(step(state, generator) >> 16);
  return 0;
}

int drand48_r(struct drand48_data *generator, double *result) {
  return erand48_r(generator->__x, generator, result);
}

int lrand48_r(struct drand48_data *generator, long *result) {
  return nrand48_r(generator->__x, generator, result);
}

int mrand48_r(struct drand48_data *generator, long *result) {
  return jrand48_r(generator->__x, generator, result);
}

int seed48_r(unsigned short state[3], struct drand48_data *generator) {
  memcpy(generator->__previous, generator->__x, sizeof generator->__x);
  __rz_range_output(state, sizeof generator->__x);
  memcpy(generator->__x, state, sizeof generator->__x);
  generator->__multiplier = DEFAULT_MULTIPLIER;
  generator->__addend = DEFAULT_ADDEND;
  generator->__is_set = 1;
  return 0;
}

int srand48_r(long seed, struct drand48_data *generator) {
  unsigned short state[3] = {0x330e, (unsigned short)seed, (unsigned short)((unsigned long)seed >> 16)};
  return seed48_r(state, generator);
}

int lcong48_r(unsigned short parameters[7], struct drand48_data *generator) {
  memcpy(generator->__x, parameters, sizeof generator->__x);
  generator->__multiplier = join(parameters + 3);
  generator->__addend = parameters[6];
  generator->__is_set = 1;
  return 0;
}

double drand48(void) { return erand48(shared.__x); }

long lrand48(void) { return nrand48(shared.__x); }

long mrand48(void) { return jrand48(shared.__x); }

double erand48(unsigned short state[3]) { return (double)step(state, &shared) * 0x1p-48; }

long nrand48(unsigned short state[3]) { return (long)(step(state, &shared) >> 17); }

long jrand48(unsigned short state[3]) { return (int32_t)(step(state, &shared) >> 16); }

unsigned short *seed48(unsigned short state[3]) {
  seed48_r(state, &shared);
  return shared.__previous;
}

void srand48(long seed) { srand48_r(seed, &shared); }

void lcong48(unsigned short parameters[7]) { lcong48_r(parameters, &shared); }
