#include <stdio.h>

#include "lz4.h"
#include "lz4hc.h"
#include "text.h"

int main(void) {
  enum { SIZE = 2 << 20 };
  char *text = make_text(SIZE), *packed = malloc((size_t)LZ4_compressBound(SIZE)), *back = malloc(SIZE);
  int total = 0, equal = 1;
  for (int round = 0; round < 8; round++) {
    int n = round % 4 == 3 ? LZ4_compress_HC(text, packed, SIZE, LZ4_compressBound(SIZE), 4)
                           : LZ4_compress_default(text, packed, SIZE, LZ4_compressBound(SIZE));
    total += n;
    equal &= LZ4_decompress_safe(packed, back, n, SIZE) == SIZE && memcmp(text, back, SIZE) == 0;
  }
  printf("%d %d\n", total, equal);
  free(text), free(packed), free(back);
  return 0;
}
