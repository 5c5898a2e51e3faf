/* run-length: a codec, and back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char input[12];
  size_t count = fread(input, 1, sizeof input, stdin), packed_bytes = 0, at = 0;
  unsigned char *packed = malloc(2 * count + 1), *back = malloc(count + 1);
  for (size_t i = 0; i < count;) {
    size_t run = 1;
    while (i + run < count && input[i + run] == input[i]) run++;
    packed[packed_bytes++] = (unsigned char)run;
    packed[packed_bytes++] = input[i];
    i += run;
  }
  for (size_t i = 0; i < packed_bytes; i += 2)
    for (int j = 0; j < packed[i]; j++) back[at++] = packed[i + 1];
  int is_same = at == count && memcmp(input, back, count) == 0;
  free(packed);
  free(back);
  return !is_same;
}
