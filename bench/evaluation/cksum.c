/* cksum: the checksum of standard input, compared with one that the last bytes claim. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
  uint16_t sum = 0;
  int c, last = 0;
  while ((c = getchar()) != EOF) {
    sum = (uint16_t)((sum >> 1) + ((sum & 1) << 15) + c);
    last = c;
  }
  if ((sum & 0xff) == last) return 1;
  return sum > 300 ? 2 : 0;
}
