#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The first character of the name in a header: "HDR1", the length of the name, the name. -1 for what is not a header. */
int parse_header(const uint8_t *data, size_t size) {
  if (size < 6 || memcmp(data, "HDR1", 4) != 0) return -1;
  size_t length = data[4];
#ifdef FIXED
  if (length > size - 5) return -1;
#endif
  char *name = malloc(length);
  if (!name) return -1;
  memcpy(name, data + 5, length);
  int first = length > 0 ? name[0] : 0;
  free(name);
  return first;
}
