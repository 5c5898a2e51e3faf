/* What every conversion ends in: text, padding, a field. */
#include "engine.h"
#include "format.h"
#include "raw.h"

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

/* A sink reads its text like any program, so it gets a copy that the monitor knows. */
static void write_copy(struct __rz_sink *sink, const char *text, size_t n) {
  char piece[96];
  for (size_t count; n > 0; text += count, n -= count) {
    count = n < sizeof piece ? n : sizeof piece;
    __rz_range_write(piece, count);
    __rz_raw_memmove(piece, text, count);
    sink->write(sink, piece, count);
  }
}

void __rz_sink_write_own(struct __rz_sink *sink, const char *text, size_t n) {
  sink->total += n;
  if (sink->write_own) sink->write_own(sink, text, n);
  else write_copy(sink, text, n);
}

void __rz_sink_fill(struct __rz_sink *sink, char c, long n) {
  static const char blanks[] = "                                ", zeros[] = "00000000000000000000000000000000";
  const char *block = c == '0' ? zeros : blanks;
  const long most = sizeof blanks - 1;
  for (; n > 0; n -= most) __rz_sink_write(sink, block, (size_t)(n < most ? n : most));
}

void __rz_format_field(struct __rz_sink *sink, const struct __rz_spec *spec, const char *body, size_t n) {
  size_t shown = sink->counts_characters ? count_characters(body, n) : n;
  long padding = spec->width - (long)shown;
  if (!(spec->flags & ALIGN_LEFT)) __rz_sink_fill(sink, ' ', padding);
  __rz_sink_write(sink, body, n);
  if (spec->flags & ALIGN_LEFT) __rz_sink_fill(sink, ' ', padding);
}

RZ_RAW_BEGIN

static void pass_on(struct __rz_text *text) {
  if (text->used > 0) __rz_sink_write_own(text->sink, text->bytes, text->used);
  text->used = 0;
}

void __rz_text_put(struct __rz_text *text, const char *from, long n) {
  for (long i = 0; i < n; i++) {
    if (text->used == sizeof text->bytes) pass_on(text);
    text->bytes[text->used++] = from[i];
  }
}

/* Precisions may be a million. */
void __rz_text_fill(struct __rz_text *text, char c, long n) {
  for (; n > 0; n--) {
    if (text->used == sizeof text->bytes) pass_on(text);
    text->bytes[text->used++] = c;
  }
}

void __rz_text_end(struct __rz_text *text) { pass_on(text); }

RZ_RAW_END
