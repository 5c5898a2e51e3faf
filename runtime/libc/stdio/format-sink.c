/* What every conversion ends in: text, padding, a field. */
#include "engine.h"
#include "format.h"
#include "raw.h"

/* Raw code's own text becomes the program's, who may not have the room. */
void __rz_store_own(char *to, const char *text, size_t n) {
  __rz_range_write(to, n);
  __rz_raw_memmove(to, text, n);
}

/* A sink that is checked reads its text like any program, so it gets a copy that the monitor
 * knows. */
__attribute__((noinline)) static void write_copy(struct __rz_sink *sink,
                                                 void (*write)(struct __rz_sink *, const char *, size_t),
                                                 const char *text, size_t n) {
  char piece[96];
  for (size_t count; n > 0; text += count, n -= count) {
    count = n < sizeof piece ? n : sizeof piece;
    __rz_store_own(piece, text, count);
    write(sink, piece, count);
  }
}

RZ_RAW_BEGIN

size_t __rz_count_characters(const char *text, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
  return count;
}

void __rz_sink_write(struct __rz_sink *sink, const char *text, size_t n) {
  if (n == 0) return;
  sink->total += sink->counts_characters ? __rz_count_characters(text, n) : n;
  sink->write(sink, text, n);
}

void __rz_sink_write_own(struct __rz_sink *sink, const char *text, size_t n) {
  if (n == 0) return;
  sink->total += sink->counts_characters ? __rz_count_characters(text, n) : n;
  if (sink->write_own) sink->write_own(sink, text, n);
  else write_copy(sink, sink->write, text, n);
}

void __rz_sink_fill(struct __rz_sink *sink, char c, long n) {
  if (n <= 0) return;
  struct __rz_text text;
  __rz_text_begin(&text, sink);
  __rz_text_fill(&text, c, n);
  __rz_text_end(&text);
}

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
