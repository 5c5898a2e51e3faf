// engines: check explore
#include <stdlib.h>

int main(void) {
  int *first = malloc(16);
  *first = 1;
  int kept = *first;
  free(first);
  int *second = malloc(16);
  *second = 1;
  free(second);
  return kept != 1;
}
