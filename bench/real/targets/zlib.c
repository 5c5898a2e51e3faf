/* zlib: the first byte chooses between inflate and a round trip through deflate. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "zlib.h"

static void unpack(const uint8_t *data, size_t size) {
  uint8_t out[4096];
  z_stream stream = {0};
  if (inflateInit2(&stream, 47) != Z_OK) return;
  stream.next_in = (Bytef *)data;
  stream.avail_in = (uInt)size;
  int result, left = 16;
  do {
    stream.next_out = out;
    stream.avail_out = sizeof out;
    result = inflate(&stream, Z_NO_FLUSH);
  } while (result == Z_OK && stream.avail_out == 0 && --left > 0);
  inflateEnd(&stream);
}

static void round_trip(const uint8_t *data, size_t size, int level) {
  uLongf packed_size = compressBound(size), size_again = size;
  Bytef *packed = malloc(packed_size), *again = malloc(size + 1);
  if (compress2(packed, &packed_size, data, size, level) == Z_OK)
    if (uncompress(again, &size_again, packed, packed_size) != Z_OK || size_again != size || memcmp(again, data, size) != 0) abort();
  free(packed);
  free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  if (data[0] < 0xc0) unpack(data + 1, size - 1);
  else round_trip(data + 1, size - 1, data[0] % 10);
  return 0;
}
