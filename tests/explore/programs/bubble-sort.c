#include <assert.h>
#include <klee/klee.h>

#ifndef COUNT
#define COUNT 5
#endif

static void sort(int *values, int count) {
  for (int end = count - 1; end > 0; end--) {
    for (int i = 0; i < end; i++) {
      if (values[i] > values[i + 1]) {
        int larger = values[i];
        values[i] = values[i + 1];
        values[i + 1] = larger;
      }
    }
  }
}

int main(void) {
  int values[COUNT];
  klee_make_symbolic(values, sizeof values, "values");
  sort(values, COUNT);
  for (int i = 0; i + 1 < COUNT; i++) assert(values[i] <= values[i + 1]);
  return 0;
}
