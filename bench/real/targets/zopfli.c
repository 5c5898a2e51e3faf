/* zopfli: the first byte chooses the format and the number of iterations of the compressor. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "zopfli.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  ZopfliOptions options;
  ZopfliInitOptions(&options);
  options.numiterations = 1 + data[0] % 3;
  options.blocksplitting = data[0] >> 7;
  options.blocksplittingmax = data[0] >> 4 & 7;
  unsigned char *out = NULL;
  size_t bytes = 0;
  ZopfliCompress(&options, (ZopfliFormat)(data[0] / 3 % 3), data + 1, size - 1, &out, &bytes);
  free(out);
  return 0;
}
