/* What every conversion ends in: text, padding, a field. */
#include "format.h"

static size_t count_characters(const char *text, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
  return count;
}

void __rz_sink_write(struct __rz_sink *sink, const char *text, size_t n) {
  if (n == 0) return;
  sink->total += sink->counts_characters ? count_characters(text, n) : n;
  sink->write(sink, text, n);
}

void __rz_sink_fill(struct __rz_sink *sink, char c, long n) {
  char block[32];
  for (size_t i = 0; i < sizeof block && (long)i < n; i++) block[i] = c;
  for (; n > 0; n -= (long)sizeof block) __rz_sink_write(sink, block, n < (long)sizeof block ? (size_t)n : sizeof block);
}

static size_t length_of(const char *text) {
  size_t n = 0;
  while (text[n]) n++;
  return n;
}

void __rz_format_field(struct __rz_sink *sink, const struct __rz_spec *spec, const char *prefix, const char *body,
                       size_t n) {
  size_t prefix_length = length_of(prefix);
  size_t shown = sink->counts_characters ? count_characters(body, n) : n;
  long padding = spec->width - (long)(prefix_length + shown);
  if (!(spec->flags & (ALIGN_LEFT | ZERO))) __rz_sink_fill(sink, ' ', padding);
  __rz_sink_write(sink, prefix, prefix_length);
  if ((spec->flags & (ALIGN_LEFT | ZERO)) == ZERO) __rz_sink_fill(sink, '0', padding);
  __rz_sink_write(sink, body, n);
  if (spec->flags & ALIGN_LEFT) __rz_sink_fill(sink, ' ', padding);
}

const char *__rz_sign_prefix(const struct __rz_spec *spec, int negative) {
  if (negative) return "-";
  return spec->flags & PLUS ? "+" : spec->flags & SPACE ? " " : "";
}
