/*
 * UTF-8 to wide characters and back, whatever the locale.
 *
 *   bytes                                   bits of the code point
 *   0xxxxxxx                                7
 *   110xxxxx 10xxxxxx                       11
 *   1110xxxx 10xxxxxx 10xxxxxx              16
 *   11110xxx 10xxxxxx 10xxxxxx 10xxxxxx     21
 *
 * Between two bytes the state holds the bits so far and the number of missing bytes. Overlong
 * forms, surrogates and values above 0x10ffff are rejected at the first byte that makes them
 * certain, which is the second byte: then the bits so far decide. A lead byte has put at most 4
 * bits of a three-byte form into the state, and a four-byte form that got that far has 5 bits or
 * more, so the two cannot be confused.
 */
#include <errno.h>
#include <wchar.h>

#include "wide.h"

static size_t refuse(mbstate_t *state) {
  *state = (mbstate_t){0};
  errno = EILSEQ;
  return (size_t)-1;
}

static int start(mbstate_t *state, unsigned char byte) {
  if (byte >= 0xc2 && byte <= 0xdf)
    *state = (mbstate_t){.__value = byte & 0x1f, .__missing = 1};
  else if (byte >= 0xe0 && byte <= 0xef)
    *state = (mbstate_t){.__value = byte & 0x0f, .__missing = 2};
  else if (byte >= 0xf0 && byte <= 0xf4)
    *state = (mbstate_t){.__value = byte & 0x07, .__missing = 3};
  else
    return 0;
  return 1;
}

static int proceed(mbstate_t *state, unsigned char byte) {
  unsigned value = state->__value << 6 | (byte & 0x3f);
  if ((byte & 0xc0) != 0x80) return 0;
  if (state->__missing == 2 && state->__value < 0x10 && (value < 0x20 || (value >= 0x360 && value < 0x380))) return 0;
  if (state->__missing == 3 && (value < 0x10 || value > 0x10f)) return 0;
  state->__value = value;
  state->__missing--;
  return 1;
}

size_t __rz_utf8_decode(wchar_t *wide, const char *text, size_t n, mbstate_t *state) {
  size_t used = 0;
  if (state->__missing == 0) {
    if (n == 0) return (size_t)-2;
    unsigned char byte = (unsigned char)text[used++];
    if (byte < 0x80) {
      if (wide) *wide = byte;
      return byte != 0;
    }
    if (!start(state, byte)) return refuse(state);
  }
  while (state->__missing != 0) {
    if (used == n) return (size_t)-2;
    if (!proceed(state, (unsigned char)text[used++])) return refuse(state);
  }
  if (wide) *wide = (wchar_t)state->__value;
  state->__value = 0;
  return used;
}

size_t __rz_utf8_encode(char *text, wchar_t wide) {
  unsigned c = (unsigned)wide;
  if (c < 0x80) {
    text[0] = (char)c;
    return 1;
  }
  if (c < 0x800) {
    text[0] = (char)(0xc0 | c >> 6);
    text[1] = (char)(0x80 | (c & 0x3f));
    return 2;
  }
  if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
    errno = EILSEQ;
    return (size_t)-1;
  }
  if (c < 0x10000) {
    text[0] = (char)(0xe0 | c >> 12);
    text[1] = (char)(0x80 | (c >> 6 & 0x3f));
    text[2] = (char)(0x80 | (c & 0x3f));
    return 3;
  }
  text[0] = (char)(0xf0 | c >> 18);
  text[1] = (char)(0x80 | (c >> 12 & 0x3f));
  text[2] = (char)(0x80 | (c >> 6 & 0x3f));
  text[3] = (char)(0x80 | (c & 0x3f));
  return 4;
}
