/* Products of symbolic numbers, so that nearly all time is spent in the solver (bench:journal). */
#include <redzone.h>
#include <stdint.h>

int main(void) {
  uint32_t a, b, c, d;
  redzone_symbolic(&a, sizeof a, "a");
  redzone_symbolic(&b, sizeof b, "b");
  redzone_symbolic(&c, sizeof c, "c");
  redzone_symbolic(&d, sizeof d, "d");
  int found = 0;
  if (a * b == 1234577) found |= 1;
  if (b * c == 987654321) found |= 2;
  if (a * c + b == 77777) found |= 4;
  if ((a ^ b) * 2654435761u == c) found |= 8;
  if (d * d == a + b) found |= 16;
  if (d * b == c * a + 1) found |= 32;
  return found;
}
