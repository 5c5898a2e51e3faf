/* Decompresses standard input with LZ4. */
#include <stdio.h>
#include "lz4.h"

int main(void) {
  char in[16], out[32];
  size_t n = fread(in, 1, sizeof in, stdin);
  int length = LZ4_decompress_safe(in, out, (int)n, sizeof out);
  return length < 0 ? 1 : out[0] == 'x' ? 2 : 0;
}
