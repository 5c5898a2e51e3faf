// engines: check explore
// Another name of a variable or function is the same object: its bounds are checked under either name.
#include <stdlib.h>
#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

static int number = 5;
extern int same_number __attribute__((alias("number")));
const int table[3] = {1, 2, 3};
extern const int same_table[3] __attribute__((weak, alias("table")));
static const int *first = &same_table[0];
static int three(void) { return 3; }
int same_three(void) __attribute__((alias("three")));

int main(int argc, char **argv) {
  (void)argv;
  same_number = 7;
  if (number != 7 || same_three() != 3 || *first != 1) abort();
  return same_table[argc + BUGGY(2, 1)] - 3; //~ ERROR global-buffer-overflow
}
