/* Small loops over the library's hot functions: each line of output is a name and nanoseconds per call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Keeps the compiler from leaving a call out or knowing its arguments. */
static void *volatile sink;
static char *volatile source;

#define MEASURE(name, calls, statement)                        \
  do {                                                         \
    double best = 1e99;                                        \
    for (int round = 0; round < 5; round++) {                  \
      double start = now();                                    \
      for (int i = 0; i < (calls); i++) statement;             \
      double spent = (now() - start) / (calls);                \
      if (spent < best) best = spent;                          \
    }                                                          \
    printf("%s %.3f\n", name, best);                           \
  } while (0)

#define BLOCK 65536

int main(void) {
  char *from = malloc(BLOCK), *to = malloc(BLOCK), text[256];
  memset(from, 'x', BLOCK);
  from[BLOCK - 1] = 0;
  source = from;
  size_t total = 0;
  MEASURE("memcpy-64k", 20000, sink = memcpy(to, source, BLOCK));
  MEASURE("memcpy-32", 2000000, sink = memcpy(to, source, 32));
  MEASURE("memset-64k", 20000, sink = memset(to, i, BLOCK));
  MEASURE("strlen-64k", 20000, total += strlen(source));
  from[15] = 0;
  MEASURE("strlen-15", 2000000, total += strlen(source));
  MEASURE("snprintf-int-string", 500000, total += (size_t)snprintf(text, sizeof text, "%d %s", i, "text"));
  MEASURE("snprintf-double", 300000, total += (size_t)snprintf(text, sizeof text, "%.6f", i * 1.1));
  MEASURE("snprintf-17g", 300000, total += (size_t)snprintf(text, sizeof text, "%.17g", i * 1.1));
  MEASURE("strtod", 300000, (snprintf(text, sizeof text, "%d.25", i), total += (size_t)strtod(text, NULL)));
  MEASURE("malloc-free", 1000000, (sink = malloc((size_t)(i & 255) + 1), free(sink)));
  fprintf(stderr, "%zu\n", total);
  return 0;
}
