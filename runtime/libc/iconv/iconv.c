/*
 * Conversion between ASCII, ISO-8859-1, UTF-8, UTF-16 and UTF-32, one character at a time through
 * its number.
 *
 *     input bytes ──decode──▶ code point ──encode──▶ output bytes
 *
 * Invariant: *input and *output advance together, by whole characters, so whatever stops the
 * conversion, everything before the two places has been converted and nothing behind them.
 */
#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum charset { ASCII, LATIN1, UTF8, UTF16, UTF32 };
enum order { LITTLE, BIG, BY_MARK }; /* BY_MARK: as the first character says, else little-endian */

struct encoding {
  enum charset charset;
  enum order order;
};

struct conversion {
  struct encoding from, to;
  enum order from_order;    /* once known */
  int wrote_mark;
  int ignores, transliterates;
};

/* ---- names ---- */

/* Compares without case, and without separators between letters and digits; stops at '/'. */
static int is_named(const char *name, const char *plain) {
  for (;; name++) {
    if (*name == '-' || *name == '_') continue;
    const int at_end = *name == 0 || *name == '/';
    if (at_end || *plain == 0) return at_end && *plain == 0;
    if (toupper((unsigned char)*name) != *plain++) return 0;
  }
}

static int find_encoding(const char *name, struct encoding *encoding) {
  static const struct {
    const char *name;
    struct encoding encoding;
  } known[] = {
      {"ASCII", {ASCII, LITTLE}},     {"USASCII", {ASCII, LITTLE}},   {"ANSIX3.41968", {ASCII, LITTLE}},
      {"646", {ASCII, LITTLE}},       {"", {ASCII, LITTLE}},          {"C", {ASCII, LITTLE}},
      {"ISO88591", {LATIN1, LITTLE}}, {"LATIN1", {LATIN1, LITTLE}},   {"L1", {LATIN1, LITTLE}},
      {"8859", {LATIN1, LITTLE}},     {"UTF8", {UTF8, LITTLE}},       {"UTF16", {UTF16, BY_MARK}},
      {"UTF16LE", {UTF16, LITTLE}},   {"UTF16BE", {UTF16, BIG}},      {"UTF32", {UTF32, BY_MARK}},
      {"UTF32LE", {UTF32, LITTLE}},   {"UTF32BE", {UTF32, BIG}},      {"UCS4", {UTF32, BIG}},
      {"UCS4LE", {UTF32, LITTLE}},    {"WCHART", {UTF32, LITTLE}},    {"UCS2", {UTF16, LITTLE}},
      {"UCS2LE", {UTF16, LITTLE}},    {"UCS2BE", {UTF16, BIG}},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (!is_named(name, known[i].name)) continue;
    *encoding = known[i].encoding;
    return 1;
  }
  return 0;
}

iconv_t iconv_open(const char *to, const char *from) {
  struct conversion *c = calloc(1, sizeof *c);
  if (!c) return (iconv_t)-1;
  if (!find_encoding(to, &c->to) || !find_encoding(from, &c->from)) {
    free(c);
    errno = EINVAL;
    return (iconv_t)-1;
  }
  c->from_order = c->from.order;
  c->ignores = strstr(to, "//IGNORE") != 0;
  c->transliterates = strstr(to, "//TRANSLIT") != 0;
  return c;
}

int iconv_close(iconv_t conversion) {
  free(conversion);
  return 0;
}

/* ---- one character ---- */

#define INCOMPLETE (-1L) /* the input ends within a character */
#define INVALID (-2L)

static unsigned long load(const unsigned char *bytes, int size, enum order order) {
  unsigned long value = 0;
  for (int i = 0; i < size; i++) value |= (unsigned long)bytes[i] << 8 * (order == BIG ? size - 1 - i : i);
  return value;
}

static void store(unsigned char *bytes, int size, enum order order, unsigned long value) {
  for (int i = 0; i < size; i++) bytes[i] = (unsigned char)(value >> 8 * (order == BIG ? size - 1 - i : i));
}

static int is_surrogate(unsigned long code) { return code >= 0xd800 && code <= 0xdfff; }

static long decode_utf8(const unsigned char *in, size_t left, size_t *used) {
  const unsigned char first = in[0];
  if (first < 0x80) {
    *used = 1;
    return first;
  }
  if (first < 0xc2 || first > 0xf4) return INVALID;
  const size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  unsigned long code = first & (0x7fu >> size);
  for (size_t i = 1; i < size; i++) {
    if (i == left) return INCOMPLETE;
    if ((in[i] & 0xc0) != 0x80) return INVALID;
    code = code << 6 | (in[i] & 0x3f);
  }
  static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[size] || code > 0x10ffff || is_surrogate(code)) return INVALID;
  *used = size;
  return (long)code;
}

static long decode_utf16(const unsigned char *in, size_t left, enum order order, size_t *used) {
  if (left < 2) return INCOMPLETE;
  const unsigned long unit = load(in, 2, order);
  *used = 2;
  if (!is_surrogate(unit)) return (long)unit;
  if (unit >= 0xdc00) return INVALID;
  if (left < 4) return INCOMPLETE;
  const unsigned long low = load(in + 2, 2, order);
  if (low < 0xdc00 || low > 0xdfff) return INVALID;
  *used = 4;
  return (long)(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
}

static long decode(const struct conversion *c, const unsigned char *in, size_t left, size_t *used) {
  *used = 1;
  switch (c->from.charset) {
    case ASCII: return in[0] < 0x80 ? in[0] : INVALID;
    case LATIN1: return in[0];
    case UTF8: return decode_utf8(in, left, used);
    case UTF16: return decode_utf16(in, left, c->from_order, used);
    default: break;
  }
  if (left < 4) return INCOMPLETE;
  *used = 4;
  const unsigned long code = load(in, 4, c->from_order);
  return code > 0x10ffff || is_surrogate(code) ? INVALID : (long)code;
}

/* The bytes of a character: how many, 0 if the target has no such character. */
static int encode(const struct conversion *c, unsigned long code, unsigned char *out) {
  const enum order order = c->to.order == BIG ? BIG : LITTLE;
  switch (c->to.charset) {
    case ASCII:
    case LATIN1:
      out[0] = (unsigned char)code;
      return code < (c->to.charset == ASCII ? 0x80 : 0x100);
    case UTF16:
      if (code < 0x10000) {
        store(out, 2, order, code);
        return 2;
      }
      store(out, 2, order, 0xd800 + ((code - 0x10000) >> 10));
      store(out + 2, 2, order, 0xdc00 + (code & 0x3ff));
      return 4;
    case UTF32: store(out, 4, order, code); return 4;
    default: break;
  }
  if (code < 0x80) {
    out[0] = (unsigned char)code;
    return 1;
  }
  const int size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (int i = size - 1; i > 0; i--, code >>= 6) out[i] = (unsigned char)(0x80 | (code & 0x3f));
  out[0] = (unsigned char)(0xf00 >> size | code);
  return size;
}

/* ---- the conversion ---- */

static size_t stop(int error) {
  errno = error;
  return (size_t)-1;
}

/*
 * Searches for the byte-order mark; nonzero if it was there, and is not part of the
 * text.
 */
static int read_mark(struct conversion *c, unsigned long code) {
  if (c->from_order != BY_MARK) return 0;
  c->from_order = LITTLE;
  const unsigned long swapped = c->from.charset == UTF16 ? 0xfffe : 0xfffe0000;
  if (code == swapped) c->from_order = BIG;
  return code == 0xfeff || code == swapped;
}

static int starts_with_mark(struct conversion *c, const unsigned char *in, size_t left, size_t *size) {
  *size = c->from.charset == UTF16 ? 2 : 4;
  return c->from_order == BY_MARK && left >= *size && read_mark(c, load(in, (int)*size, LITTLE));
}

size_t iconv(iconv_t conversion, char **restrict input, size_t *restrict input_left, char **restrict output,
             size_t *restrict output_left) {
  struct conversion *c = conversion;
  size_t replaced = 0, used;
  if (!input || !*input) {
    c->from_order = c->from.order;
    c->wrote_mark = 0;
    return 0;
  }
  if (starts_with_mark(c, (const unsigned char *)*input, *input_left, &used)) {
    *input += used;
    *input_left -= used;
  }
  while (*input_left > 0) {
    unsigned char bytes[8];
    const long code = decode(c, (const unsigned char *)*input, *input_left, &used);
    if (code == INCOMPLETE) return stop(EINVAL);
    if (code == INVALID && !c->ignores) return stop(EILSEQ);

    const size_t mark = c->to.order == BY_MARK && !c->wrote_mark ? (size_t)encode(c, 0xfeff, bytes) : 0;
    size_t size = code == INVALID ? 0 : (size_t)encode(c, (unsigned long)code, bytes + mark);
    const int is_lost = size == 0;
    if (is_lost && c->transliterates) size = (size_t)encode(c, '?', bytes + mark);
    else if (is_lost && !c->ignores) return stop(EILSEQ);
    if (mark + size > *output_left) return stop(E2BIG);
    replaced += (size_t)is_lost;
    memcpy(*output, bytes, mark + size);
    c->wrote_mark = 1;
    *output += mark + size;
    *output_left -= mark + size;
    *input += used;
    *input_left -= used;
  }
  return replaced;
}
