/* A bubble sort of COUNT symbolic longs: a path for each permutation, and queries that need CaDiCaL (bench:scale). */
#include <assert.h>
#include <klee/klee.h>

#ifndef COUNT
#define COUNT 8
#endif

static void sort(long *values, int count) {
  for (int end = count - 1; end > 0; end--) {
    for (int i = 0; i < end; i++) {
      if (values[i] > values[i + 1]) {
        long larger = values[i];
        values[i] = values[i + 1];
        values[i + 1] = larger;
      }
    }
  }
}

int main(void) {
  long values[COUNT];
  klee_make_symbolic(values, sizeof values, "values");
  sort(values, COUNT);
  for (int i = 0; i + 1 < COUNT; i++) assert(values[i] <= values[i + 1]);
  return 0;
}
