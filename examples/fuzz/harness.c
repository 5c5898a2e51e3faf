#include <stddef.h>
#include <stdint.h>
int parse_header(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return parse_header(data, size), 0;
}
