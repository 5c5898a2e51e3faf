/* base64: encodes standard input, decodes it again and compares. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int main(void) {
  unsigned char input[16];
  size_t count = fread(input, 1, sizeof input, stdin);
  char *text = malloc(2 * count + 8);
  unsigned char *back = malloc(count + 4);
  size_t length = 0, decoded = 0;
  for (size_t i = 0; i < count; i += 3) {
    unsigned long word = (unsigned long)input[i] << 16;
    if (i + 1 < count) word |= (unsigned long)input[i + 1] << 8;
    if (i + 2 < count) word |= input[i + 2];
    for (int j = 0; j < 4; j++) text[length++] = digits[word >> (18 - 6 * j) & 63];
  }
  for (size_t i = 0; i < length; i += 4) {
    unsigned long word = 0;
    for (int j = 0; j < 4; j++) word = word << 6 | (unsigned long)(strchr(digits, text[i + j]) - digits);
    for (int j = 0; j < 3 && decoded < count; j++) back[decoded++] = (unsigned char)(word >> (16 - 8 * j));
  }
  int is_same = memcmp(input, back, count) == 0;
  free(text);
  free(back);
  return !is_same;
}
