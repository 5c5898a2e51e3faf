/* %s %c %ls %lc %S %C */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "engine.h"
#include "format.h"
#include "locale-state.h"
#include "wide.h"

/*
 * The bytes of the first `limit` characters of UTF-8 text, which need not end with zero if it is
 * that long.
 */
__attribute__((noinline)) static size_t bytes_of_characters(const char *text, size_t limit) {
  size_t n = 0;
  while (text[n] && limit > 0) {
    n++;
    while (((unsigned char)text[n] & 0xc0) == 0x80) n++;
    limit--;
  }
  return n;
}

/* Whether the first n bytes are no text of the locale, with errno EILSEQ. */
__attribute__((noinline)) static int is_illegal(const char *text, size_t n) {
  if (__rz_is_utf8()) return 0;
  for (size_t i = 0; i < n; i++) {
    if ((unsigned char)text[i] < 0x80) continue;
    errno = EILSEQ;
    return 1;
  }
  return 0;
}

/* A wide character as a sink takes it: UTF-8 if it counts characters, else text of the locale. */
static size_t encode_one(int counts_characters, char *to, wchar_t c) {
  return counts_characters ? __rz_utf8_encode(to, c) : wcrtomb(to, c, NULL);
}

/* The length in bytes of the wide text, cut at the precision; -1 with errno EILSEQ. */
__attribute__((noinline)) static long encoded_length(int counts_characters, const wchar_t *text, long limit) {
  long length = 0;
  char bytes[MB_LEN_MAX];
  for (long used = 0; limit < 0 || used < limit;) {
    if (*text == 0) break;
    size_t n = encode_one(counts_characters, bytes, *text++);
    if (n == (size_t)-1) return -1;
    used += counts_characters ? 1 : (long)n;
    if (limit >= 0 && used > limit) break;
    length += (long)n;
  }
  return length;
}

/* The text as this many bytes, to be freed; NULL if there is no memory. */
__attribute__((noinline)) static char *encode(int counts_characters, const wchar_t *text, long length) {
  char *encoded = malloc((size_t)length + MB_LEN_MAX);
  for (long at = 0; encoded && at < length; text++) at += (long)encode_one(counts_characters, encoded + at, *text);
  return encoded;
}

/* The bytes of a wide character, the first the lowest, and how many there are above them; or -1. */
__attribute__((noinline)) static int64_t encode_character(int counts_characters, wchar_t c) {
  char bytes[MB_LEN_MAX] = {0};
  size_t n = encode_one(counts_characters, bytes, c);
  if (n == (size_t)-1) return -1;
  int64_t packed = (int64_t)n;
  for (int i = 3; i >= 0; i--) packed = packed << 8 | (unsigned char)bytes[i];
  return packed;
}

RZ_RAW_BEGIN

/* The text in a field of the spec's width: the program's, or raw code's own. */
static void put_field(struct __rz_sink *sink, const struct __rz_spec *spec, const char *body, size_t n, int is_own) {
  size_t shown = sink->counts_characters ? __rz_count_characters(body, n) : n;
  long padding = spec->width - (long)shown;
  if (!(spec->flags & ALIGN_LEFT)) __rz_sink_fill(sink, ' ', padding);
  if (is_own) __rz_sink_write_own(sink, body, n);
  else __rz_sink_write(sink, body, n);
  if (spec->flags & ALIGN_LEFT) __rz_sink_fill(sink, ' ', padding);
}

void __rz_format_string(struct __rz_sink *sink, const struct __rz_spec *spec, const char *text) {
  size_t n;
  if (!text) text = spec->precision < 0 || spec->precision >= 6 ? "(null)" : "";
  if (spec->precision >= 0 && sink->counts_characters) {
    n = bytes_of_characters(text, (size_t)spec->precision);
  } else {
    size_t limit = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision;
    size_t length = spec->precision < 0 ? __rz_raw_strlen(text) : __rz_raw_strnlen(text, limit);
    size_t seen = __rz_range_scan(text, length + (length < limit));
    n = seen > length ? length : seen;
  }
  if (sink->counts_characters && is_illegal(text, n)) {
    sink->failed = 1;
    return;
  }
  put_field(sink, spec, text, n, 0);
}

void __rz_format_wide(struct __rz_sink *sink, const struct __rz_spec *spec, const wchar_t *text) {
  if (!text) {
    __rz_format_string(sink, spec, NULL);
    return;
  }
  long length = encoded_length(sink->counts_characters, text, spec->precision);
  char *encoded = length < 0 ? NULL : encode(sink->counts_characters, text, length);
  if (!encoded) {
    sink->failed = 1;
    return;
  }
  put_field(sink, spec, encoded, (size_t)length, 0);
  free(encoded);
}

void __rz_format_character(struct __rz_sink *sink, const struct __rz_spec *spec, int c) {
  int64_t packed = (int64_t)1 << 32 | (unsigned char)c;
  if (spec->length == LENGTH_LONG) packed = encode_character(sink->counts_characters, (wchar_t)c);
  if (packed < 0) {
    sink->failed = 1;
    return;
  }
  const char bytes[4] = {(char)packed, (char)(packed >> 8), (char)(packed >> 16), (char)(packed >> 24)};
  put_field(sink, spec, bytes, (size_t)(packed >> 32), 1);
}

RZ_RAW_END
