/* Inflates standard input with zlib. */
#include <stdio.h>
#include <string.h>
#include "zlib.h"

int main(void) {
  unsigned char in[16], out[64];
  size_t n = fread(in, 1, sizeof in, stdin);
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (inflateInit2(&stream, -15) != Z_OK) return 2;
  stream.next_in = in;
  stream.avail_in = (unsigned)n;
  stream.next_out = out;
  stream.avail_out = sizeof out;
  int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return result == Z_STREAM_END ? (int)stream.total_out : 100 - result;
}
