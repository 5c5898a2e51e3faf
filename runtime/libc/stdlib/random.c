/*
 * rand and random: the additive generator of BSD and GNU. It gives the same results for the same
 * seed, so that a seeded program behaves here as it does natively.
 *
 *   x[i] = x[i - degree] + x[i - separation]  (modulo 2^32), and the result is x[i] without its lowest bit.
 *
 * The state is a ring of `degree` words, filled from the seed by x -> 16807 x mod (2^31 - 1), and
 * run for 10 * degree steps. A state of 8 bytes has degree 0 and is a linear congruential generator
 * instead. The caller's buffer (initstate) holds one word that names the kind and the position,
 * then the ring, so that setstate can resume it.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#define KINDS 5

static const struct {
  unsigned char degree, separation;
} kinds[KINDS] = {{0, 0}, {7, 3}, {15, 1}, {31, 3}, {63, 1}};

static uint32_t default_buffer[1 + 31];
static struct random_data shared = {.__ring = default_buffer + 1, .__kind = 3};
static int seeded;

/* The word before the ring, which names the kind and the position. */
static void save_position(struct random_data *generator) {
  generator->__ring[-1] = generator->__front * KINDS + (uint32_t)generator->__kind;
}

static uint32_t next(struct random_data *generator) {
  uint32_t *ring = generator->__ring;
  unsigned degree = kinds[generator->__kind].degree, separation = kinds[generator->__kind].separation;
  if (degree == 0) {
    ring[0] = (ring[0] * 1103515245u + 12345u) & 0x7fffffffu;
    return ring[0];
  }
  unsigned front = generator->__front, other = front >= separation ? front - separation : front + degree - separation;
  uint32_t value = ring[front] += ring[other];
  generator->__front = front + 1 == degree ? 0 : front + 1;
  return value >> 1;
}

static void seed_ring(unsigned int seed, struct random_data *generator) {
  uint32_t *ring = generator->__ring;
  unsigned degree = kinds[generator->__kind].degree;
  ring[0] = seed == 0 ? 1 : seed;
  if (degree == 0) return;
  int64_t x = (int32_t)ring[0];
  for (unsigned i = 1; i < degree; i++) {
    x = x * 16807 % 2147483647;
    if (x < 0) x += 2147483647;
    ring[i] = (uint32_t)x;
  }
  generator->__front = kinds[generator->__kind].separation;
  for (unsigned i = 0; i < 10 * degree; i++) next(generator);
}

static int fail(void) {
  errno = EINVAL;
  return -1;
}

int random_r(struct random_data *restrict generator, int *restrict result) {
  if (generator == NULL || result == NULL) return fail();
  *result = (int)next(generator);
  return 0;
}

int srandom_r(unsigned int seed, struct random_data *generator) {
  if (generator == NULL) return fail();
  seed_ring(seed, generator);
  return 0;
}

int initstate_r(unsigned int seed, char *restrict state, size_t size, struct random_data *restrict generator) {
  if (generator == NULL || size < 8) return fail();
  if (generator->__ring) save_position(generator);
  generator->__ring = (uint32_t *)(void *)state + 1;
  generator->__kind = size < 32 ? 0 : size < 64 ? 1 : size < 128 ? 2 : size < 256 ? 3 : 4;
  seed_ring(seed, generator);
  save_position(generator);
  return 0;
}

int setstate_r(char *restrict state, struct random_data *restrict generator) {
  if (generator == NULL || state == NULL) return fail();
  if (generator->__ring) save_position(generator);
  generator->__ring = (uint32_t *)(void *)state + 1;
  generator->__kind = (int)(generator->__ring[-1] % KINDS);
  generator->__front = generator->__ring[-1] / KINDS;
  return 0;
}

void srandom(unsigned int seed) {
  seeded = 1;
  seed_ring(seed, &shared);
}

long random(void) {
  if (!seeded) srandom(1);
  return (long)next(&shared);
}

char *initstate(unsigned int seed, char *state, size_t size) {
  if (!seeded) srandom(1);
  uint32_t *previous = shared.__ring - 1;
  return initstate_r(seed, state, size, &shared) == 0 ? (char *)previous : NULL;
}

char *setstate(char *state) {
  if (!seeded) srandom(1);
  uint32_t *previous = shared.__ring - 1;
  return setstate_r(state, &shared) == 0 ? (char *)previous : NULL;
}

void srand(unsigned int seed) { srandom(seed); }

int rand(void) { return (int)random(); }
