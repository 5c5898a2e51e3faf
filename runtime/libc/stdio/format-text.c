/* %s %c %ls %lc %S %C */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "format.h"

/*
 * The bytes of the first `limit` characters of UTF-8 text, which need not end with zero if it is
 * that long.
 */
static size_t bytes_of_characters(const char *text, size_t limit) {
  size_t n = 0;
  while (text[n] && limit > 0) {
    n++;
    while (((unsigned char)text[n] & 0xc0) == 0x80) n++;
    limit--;
  }
  return n;
}

void __rz_format_string(struct __rz_sink *sink, const struct __rz_spec *spec, const char *text) {
  if (!text) text = spec->precision < 0 || spec->precision >= 6 ? "(null)" : "";
  size_t n;
  if (spec->precision < 0) n = strlen(text);
  else if (sink->counts_characters) n = bytes_of_characters(text, (size_t)spec->precision);
  else n = strnlen(text, (size_t)spec->precision);
  __rz_format_field(sink, spec, text, n);
}

/* The length in bytes of the wide text as UTF-8, cut at the precision; -1 with errno EILSEQ. */
static long encoded_length(const struct __rz_sink *sink, const wchar_t *text, long limit) {
  long length = 0;
  char bytes[MB_LEN_MAX];
  for (long used = 0; limit < 0 || used < limit;) {
    if (*text == 0) break;
    size_t n = wcrtomb(bytes, *text++, NULL);
    if (n == (size_t)-1) return -1;
    used += sink->counts_characters ? 1 : (long)n;
    if (limit >= 0 && used > limit) break;
    length += (long)n;
  }
  return length;
}

void __rz_format_wide(struct __rz_sink *sink, const struct __rz_spec *spec, const wchar_t *text) {
  if (!text) {
    __rz_format_string(sink, spec, NULL);
    return;
  }
  long length = encoded_length(sink, text, spec->precision);
  char *encoded = length < 0 ? NULL : malloc((size_t)length + MB_LEN_MAX);
  if (!encoded) {
    sink->failed = 1;
    return;
  }
  for (long at = 0; at < length; text++) at += (long)wcrtomb(encoded + at, *text, NULL);
  __rz_format_field(sink, spec, encoded, (size_t)length);
  free(encoded);
}

void __rz_format_character(struct __rz_sink *sink, const struct __rz_spec *spec, int c) {
  char bytes[MB_LEN_MAX] = {(char)c};
  size_t n = 1;
  if (spec->length == LENGTH_LONG) n = wcrtomb(bytes, (wchar_t)c, NULL);
  if (n == (size_t)-1) {
    sink->failed = 1;
    return;
  }
  __rz_format_field(sink, spec, bytes, n);
}
