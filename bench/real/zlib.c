#include <stdio.h>

#include "text.h"
#include "zlib.h"

int main(void) {
  enum { SIZE = 2 << 20 };
  char *text = make_text(SIZE);
  uLong bound = compressBound(SIZE), total = 0;
  Bytef *packed = malloc(bound), *back = malloc(SIZE);
  int equal = 1;
  for (int level = 1; level <= 7; level += 3) {
    uLongf n = bound, length = SIZE;
    compress2(packed, &n, (const Bytef *)text, SIZE, level);
    total += n;
    equal &= uncompress(back, &length, packed, n) == Z_OK && memcmp(text, back, SIZE) == 0;
  }
  printf("%lu %d\n", total, equal);
  free(text), free(packed), free(back);
  return 0;
}
