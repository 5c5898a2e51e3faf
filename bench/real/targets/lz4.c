/* LZ4: damaged blocks are decompressed into buffers of several sizes, and a round trip is made. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lz4.h"
#include "lz4hc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  const char *block = (const char *)data + 2;
  int bytes = (int)size - 2, room = 1 + data[0] * 16;
  char *out = malloc((size_t)room);
  LZ4_decompress_safe(block, out, bytes, room);
  LZ4_decompress_safe_partial(block, out, bytes, room / 2, room);
  free(out);
  int most = LZ4_compressBound(bytes);
  char *packed = malloc((size_t)most + 1), *again = malloc((size_t)bytes + 1);
  int length = data[1] & 1 ? LZ4_compress_HC(block, packed, bytes, most, data[1] >> 4) : LZ4_compress_default(block, packed, bytes, most);
  if (length > 0 && (LZ4_decompress_safe(packed, again, length, bytes) != bytes || memcmp(again, block, (size_t)bytes) != 0)) abort();
  free(packed);
  free(again);
  return 0;
}
