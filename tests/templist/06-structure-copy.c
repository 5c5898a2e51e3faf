// engines: check
// The stale pointer is a field that came along with the copy of a structure (rule R4).
#include "../golden/cases.h"

struct pair {
  int *first, *second;
};

int main(void) {
  struct pair a = {malloc(sizeof(int)), malloc(sizeof(int))}, b;
  *a.first = 1, *a.second = 2;
  b = a;
  free(a.second);
  a.second = malloc(sizeof(int));
  *a.second = 3;
  BUGGY(, b = a);
  int sum = *b.first;
  sum += *b.second; //~ ERROR use-after-free
  free(a.first);
  free(a.second);
  return sum < 0;
}
