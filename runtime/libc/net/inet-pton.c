/* Addresses in their strict texts to binary. */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <string.h>

/* Four decimal numbers without leading zeros. */
static int parse_v4(const char *text, unsigned char *to) {
  for (int i = 0; i < 4; i++) {
    unsigned value = 0;
    int digits = 0;
    for (; isdigit((unsigned char)*text); text++, digits++) {
      if (digits > 0 && value == 0) return 0;
      value = value * 10 + (unsigned)(*text - '0');
      if (value > 255) return 0;
    }
    if (digits == 0 || *text != (i < 3 ? '.' : 0)) return 0;
    text++;
    to[i] = (unsigned char)value;
  }
  return 1;
}

static int hex_digit(char c) {
  static const char digits[] = "0123456789abcdef";
  const char *found = c ? strchr(digits, tolower((unsigned char)c)) : 0;
  return found ? (int)(found - digits) : -1;
}

/* Words of up to four digits between colons; one "::" stands for as many zeros as are missing. */
static int parse_v6(const char *text, unsigned char *to) {
  unsigned char bytes[16] = {0};
  int count = 0, gap = -1;
  if (text[0] == ':' && *++text != ':') return 0;
  while (*text) {
    if (*text == ':') {
      if (gap >= 0) return 0;
      gap = count;
      text++;
      continue;
    }
    const char *word = text;
    unsigned value = 0;
    for (; hex_digit(*text) >= 0; text++) {
      if (text - word == 4) return 0;
      value = value << 4 | (unsigned)hex_digit(*text);
    }
    if (*text == '.') {
      if (count > 12 || !parse_v4(word, bytes + count)) return 0;
      count += 4;
      break;
    }
    if (text == word || count == 16) return 0;
    bytes[count++] = (unsigned char)(value >> 8);
    bytes[count++] = (unsigned char)value;
    if (*text == ':' && *++text == 0) return 0;
    else if (text[-1] != ':' && *text != 0) return 0;
  }
  if (gap < 0 ? count != 16 : count == 16) return 0;
  if (gap >= 0) {
    memmove(bytes + 16 - (count - gap), bytes + gap, (size_t)(count - gap));
    memset(bytes + gap, 0, (size_t)(16 - count));
  }
  memcpy(to, bytes, 16);
  return 1;
}

int inet_pton(int family, const char *restrict text, void *restrict address) {
  unsigned char v4[4];
  if (family == AF_INET) {
    if (!parse_v4(text, v4)) return 0;
    memcpy(address, v4, sizeof v4);
    return 1;
  }
  if (family == AF_INET6) return parse_v6(text, address);
  errno = EAFNOSUPPORT;
  return -1;
}
