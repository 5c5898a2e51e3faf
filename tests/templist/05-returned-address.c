// engines: check
// A function returns the address of its local; the frame of the next call lies in the same place.
#include "../golden/cases.h"

static int *made(int value) {
  int local = value, *p = &local;
  int *block = malloc(sizeof *block);
  *block = *p;
  BUGGY(free(block), );
  return BUGGY(p, block);
}

static int other(int value) {
  int local = value, *p = &local;
  return *p + 1;
}

int main(void) {
  int *p = made(1);
  int sum = other(2) + other(3);
  sum += *p; //~ ERROR use-after-return
  *p = sum;  //~ ERROR use-after-return
  BUGGY(, free(p));
  return 0;
}
