/*
 * A golden program with many errors: each is a function of its own, met in a run of its own, so that the program is compiled
 * once. `BUGGY(bug, fix)` is the only place where a case and its fixed twin differ; the twin is the
 * same file with FIXED defined, and runs all cases in one go.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

/* The arguments of main. */
static __attribute__((unused)) char **program_arguments;

/* A value that the compiler cannot see through. */
static inline long opaque(long value) {
  volatile long hidden = value;
  return hidden;
}

/* The distance from one object to another, computed from addresses: C does not define it for pointers. */
static inline long distance(const char *from, const char *to) { return to - from; }

#define CASES(...)                                                        \
  int main(int argc, char **argv) {                                       \
    program_arguments = argv;                                             \
    static void (*const cases[])(void) = {__VA_ARGS__};                   \
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)         \
      if (argc < 2 || atoi(argv[1]) == i + 1) cases[i]();                 \
    return 0;                                                             \
  }
