/*
 * A format of chunks like PNG's: a signature, then length, type, data and a checksum for each. The text of a `tEXt` chunk is taken to
 * have a zero in it. With -DFIXED it is checked.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint32_t number(const uint8_t *at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t checksum(const uint8_t *data, size_t size) {
  uint32_t sum = 1;
  for (size_t i = 0; i < size; i++) sum = sum * 31 + data[i];
  return sum;
}

static void read_text(const uint8_t *data, size_t size) {
  char *keyword = malloc(size);
  if (!keyword) return;
  memcpy(keyword, data, size);
#ifdef FIXED
  if (memchr(keyword, 0, size))
#endif
  {
    volatile size_t length = size ? strlen(keyword) : 0;
    (void)length;
  }
  free(keyword);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4 || memcmp(data, "\x89RZ\n", 4) != 0) return 0;
  size_t at = 4;
  int has_header = 0;
  while (size - at >= 12) {
    uint32_t length = number(data + at);
    if (length > size - at - 12) return 0;
    const uint8_t *type = data + at + 4, *body = type + 4;
    if (number(body + length) != checksum(type, length + 4)) return 0;
    if (memcmp(type, "HEAD", 4) == 0) {
      if (length != 4) return 0;
      has_header = 1;
    } else if (memcmp(type, "tEXt", 4) == 0 && has_header) read_text(body, length);
    at += 12 + length;
  }
  return 0;
}
