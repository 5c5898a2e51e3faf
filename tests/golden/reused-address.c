// engines: check explore
// The stale pointer's address is valid again: it belongs to the second block now.
#include <stdlib.h>

int main(void) {
  int *first = malloc(16); //~ NOTE allocated here
  free(first);             //~ NOTE freed here
  int *second = malloc(16);
  *second = 1;
  int stale = *first; //~ ERROR use-after-free
  free(second);
  return stale != 1;
}
