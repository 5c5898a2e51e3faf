// engines: check
// adds: aliasing
// Memory that is read as another type than it was written as.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

union both {
  float number;
  uint32_t bits;
};

struct pair {
  int first;
  float second;
};

static volatile long sink;

static uint32_t bits_of(const float *number) {
  uint32_t bits;
  memcpy(&bits, number, sizeof bits);
#ifdef FIXED
  return bits;
#else
  return *(const uint32_t *)number; //~ ERROR strict-aliasing
#endif
}

int main(void) {
  float number = 1.5f;
  sink = bits_of(&number);
  union both both = {.number = 2.5f};
  sink = both.bits;
  unsigned *counts = malloc(4 * sizeof *counts);
  counts[0] = 1;
  sink = ((int *)counts)[0];
  float *reused = (float *)counts;
  reused[0] = 1;
  sink = reused[0] > 0;
  sink = ((unsigned char *)reused)[0];
  struct pair pair = {1, 2}, copy = pair;
  void *place = &copy.second;
  sink = *(float *)place > 0;
  long *words = malloc(sizeof *words);
  *words = 1;
  sink = BUGGY(*(double *)words > 0, *words); //~ ERROR strict-aliasing
  char **names = malloc(sizeof *names);
  *names = NULL;
  sink = *(void **)names == NULL;
  free(names);
  free(words);
  free(counts);
  return 0;
}
