// engines: check
// The local of a loop's body is a new object each time round.
#include "../golden/cases.h"

int main(void) {
  int *previous = NULL, *first = NULL, sum = 0;
  for (int i = 0; i < 4; i++) {
    int local = i;
    BUGGY(, previous = &local);
    if (previous) sum += *previous; //~ ERROR use-after-scope
    previous = &local;
    if (i == 0) first = previous;
    *previous = sum;
  }
  BUGGY(, first = &sum);
  *first = 1; //~ ERROR use-after-scope
  return sum < 0;
}
