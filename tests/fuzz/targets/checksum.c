/*
 * A gate that no byte of the input passes by itself: eight bytes are mixed to a number that occurs nowhere in the input, neither does
 * the one that it is compared with. With -DFIXED there is no error.
 */
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size != 8) return 0;
  uint32_t sum = 0x811c9dc5u;
  for (int i = 0; i < 8; i++) sum = (sum ^ data[i]) + (sum << 5);
  if (sum != 0x5eed1234u) return 0;
  uint8_t *copy = malloc(4);
#ifdef FIXED
  for (int i = 0; i < 4; i++) copy[i] = data[i];
#else
  for (int i = 0; i < 8; i++) copy[i] = data[i];
#endif
  free(copy);
  return 0;
}
