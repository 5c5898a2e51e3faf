/* A magic number of four bytes and a name of seven; then an index from the input. With -DFIXED it is checked. */
#include <stdint.h>
#include <string.h>

static int table[16];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t magic;
  if (size < 13) return 0;
  memcpy(&magic, data, 4);
  if (magic != 0x5ca1ab1e) return 0;
  if (memcmp(data + 4, "redzone", 7) != 0) return 0;
  unsigned index = data[11];
#ifdef FIXED
  if (index >= 16) return 0;
#endif
  return table[index] != 0;
}
