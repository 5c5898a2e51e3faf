// engines: check
// The pointer travels as bytes: through memcpy into a buffer, moved there, and back.
#include "../golden/cases.h"

int main(void) {
  char message[32];
  int *p = malloc(sizeof *p), *q;
  *p = 1;
  memcpy(message, &p, sizeof p);
  memmove(message + 8, message, sizeof p);
  free(p);
  p = malloc(sizeof *p);
  *p = 2;
  BUGGY(, memcpy(message + 8, &p, sizeof p));
  memcpy(&q, message + 8, sizeof q);
  int result = *q; //~ ERROR use-after-free
  free(p);
  return result < 0;
}
