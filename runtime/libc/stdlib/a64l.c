/* a64l, l64a: 32-bit numbers in base 64, least significant digit first. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

long a64l(const char *text) {
  uint32_t value = 0;
  for (int i = 0; i < 6 && text[i] != 0; i++) {
    const char *digit = strchr(digits, text[i]);
    if (!digit) break;
    value |= (uint32_t)(digit - digits) << 6 * i;
  }
  return (int32_t)value;
}

char *l64a(long value) {
  static char text[7];
  uint32_t rest = (uint32_t)value;
  int i = 0;
  for (; rest != 0; rest >>= 6) text[i++] = digits[rest & 63];
  text[i] = 0;
  return text;
}
