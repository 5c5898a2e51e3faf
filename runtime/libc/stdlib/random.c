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
static uint32_t *buffer = default_buffer;
static int kind = 3;
static size_t front; /* the index of the word that is replaced next */
static int seeded;

static void save_position(void) { buffer[0] = (uint32_t)(front * KINDS + (size_t)kind); }

static uint32_t next(void) {
  uint32_t *ring = buffer + 1;
  size_t degree = kinds[kind].degree, separation = kinds[kind].separation;
  if (degree == 0) {
    ring[0] = (ring[0] * 1103515245u + 12345u) & 0x7fffffffu;
    return ring[0];
  }
  size_t other = front >= separation ? front - separation : front + degree - separation;
  uint32_t value = ring[front] += ring[other];
  front = front + 1 == degree ? 0 : front + 1;
  return value >> 1;
}

void srandom(unsigned int seed) {
  uint32_t *ring = buffer + 1;
  size_t degree = kinds[kind].degree;
  seeded = 1;
  ring[0] = seed == 0 ? 1 : seed;
  if (degree == 0) return;
  int64_t x = (int32_t)ring[0];
  for (size_t i = 1; i < degree; i++) {
    x = x * 16807 % 2147483647;
    if (x < 0) x += 2147483647;
    ring[i] = (uint32_t)x;
  }
  front = kinds[kind].separation;
  for (size_t i = 0; i < 10 * degree; i++) next();
}

long random(void) {
  if (!seeded) srandom(1);
  return (long)next();
}

char *initstate(unsigned int seed, char *state, size_t size) {
  if (size < 8) {
    errno = EINVAL;
    return NULL;
  }
  if (!seeded) srandom(1);
  char *previous = (char *)buffer;
  save_position();
  buffer = (uint32_t *)(void *)state;
  kind = size < 32 ? 0 : size < 64 ? 1 : size < 128 ? 2 : size < 256 ? 3 : 4;
  srandom(seed);
  save_position();
  return previous;
}

char *setstate(char *state) {
  if (!seeded) srandom(1);
  char *previous = (char *)buffer;
  save_position();
  buffer = (uint32_t *)(void *)state;
  kind = (int)(buffer[0] % KINDS);
  front = buffer[0] / KINDS;
  return previous;
}

void srand(unsigned int seed) { srandom(seed); }

int rand(void) { return (int)random(); }
