/*
 * The engine of scanf: it walks the format, matches blanks and text, and converts each directive.
 * It is raw code (raw.h): the range of the format is checked once, an argument when it is fetched.
 * The source checks the input, and checked functions store the results.
 */
#include "engine.h"
#include "scan.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "raw.h"
#include "scan-parts.h"

struct scanner {
  struct __rz_source *source;
  va_list list;  /* the arguments that come next */
  va_list start; /* all of them, for %2$d */
  int stored;
};

/* %n */
__attribute__((noinline)) static void store_count(int length, void *to, long count) {
  switch (length) {
    case SCAN_CHAR: *(signed char *)to = (signed char)count; break;
    case SCAN_SHORT: *(short *)to = (short)count; break;
    case SCAN_INT: *(int *)to = (int)count; break;
    default: *(long *)to = count; break;
  }
}

RZ_RAW_BEGIN

int __rz_scan_get(struct __rz_source *source) {
  if (source->at < source->known && *source->at) {
    source->taken++;
    return (unsigned char)*source->at++;
  }
  int c = source->get(source);
  if (c == EOF) return c;
  if (!source->counts_characters || (c & 0xc0) != 0x80) source->taken++;
  return c;
}

void __rz_scan_unget(struct __rz_source *source, int c) {
  if (c == EOF) return;
  source->taken--;
  source->unget(source, c);
}

static void skip_blanks(struct __rz_source *source) {
  int c;
  while ((c = __rz_scan_get(source)) != EOF && __rz_scan_is_space(c)) continue;
  __rz_scan_unget(source, c);
}

/* ── reading a directive ── */

static long read_number(const char **at) {
  long n = 0;
  for (; **at >= '0' && **at <= '9'; ++*at) {
    if (n < INT_MAX) n = n * 10 + (**at - '0');
  }
  return n;
}

static int read_length(const char **at) {
  switch (*(*at)++) {
    case 'h':
      if (**at != 'h') return SCAN_SHORT;
      ++*at;
      return SCAN_CHAR;
    case 'l':
      if (**at == 'l') ++*at;
      return SCAN_LONG;
    case 'q': case 'j': case 'z': case 't': return SCAN_LONG;
    case 'L': return SCAN_LONG_DOUBLE;
    case 'w': {
      int fast = **at == 'f';
      if (fast) ++*at;
      long bits = read_number(at);
      if (bits == 8) return SCAN_CHAR;
      return bits == 64 || fast ? SCAN_LONG : bits == 16 ? SCAN_SHORT : SCAN_INT;
    }
    default: --*at; return SCAN_INT;
  }
}

/* After '[': a ']' that comes first, or after '^', belongs to the set. */
static int read_set(const char **at, struct __rz_scan_spec *spec) {
  if (**at == '^') {
    spec->is_negated = 1;
    ++*at;
  }
  spec->set = *at;
  if (**at == ']') ++*at;
  while (**at && **at != ']') ++*at;
  if (**at == 0) return -1;
  spec->set_end = (*at)++;
  return 0;
}

/* After '%': returns the index of the argument, 0 for the next one, -1 if the format ends here. */
static int read_directive(const char **at, struct __rz_scan_spec *spec) {
  *spec = (struct __rz_scan_spec){.width = LONG_MAX};
  const char *digits = *at;
  long index = read_number(&digits);
  if (index > 0 && *digits == '$') *at = digits + 1;
  else index = 0;
  for (;; ++*at) {
    if (**at == '*') spec->is_suppressed = 1;
    else if (**at != '\'' && **at != 'I') break;
  }
  if (**at >= '0' && **at <= '9') spec->width = read_number(at);
  if (spec->width == 0) spec->width = LONG_MAX;
  if (**at == 'm') {
    spec->allocates = 1;
    ++*at;
  }
  spec->length = read_length(at);
  spec->conversion = **at;
  if (spec->conversion == 0) return -1;
  ++*at;
  if (spec->conversion == 'C' || spec->conversion == 'S') {
    spec->conversion = (char)(spec->conversion | 0x20);
    spec->length = SCAN_LONG;
  }
  if (spec->conversion == '[' && read_set(at, spec) < 0) return -1;
  return (int)index;
}

static void *target_of(struct scanner *scanner, int index) {
  va_list list;
  if (index > 0) va_copy(list, scanner->start);
  else va_copy(list, scanner->list);
  void *target = NULL;
  do {
    /* A va_list is a pointer; the next argument is at the next address that its type allows. */
    __rz_range_read((const char *)list + (-(uintptr_t)list & (sizeof target - 1)), sizeof target);
    target = va_arg(list, void *);
  } while (--index > 0);
  if (index < 0) va_copy(scanner->list, list);
  va_end(list);
  return target;
}

/* ── matching ── */

static int convert(struct scanner *scanner, const struct __rz_scan_spec *spec, int index) {
  struct __rz_source *source = scanner->source;
  void *to = spec->is_suppressed ? NULL : target_of(scanner, index);
  if (!to && !spec->is_suppressed) __rz_range_write(to, 1); /* below, null means that nothing is stored */
  switch (spec->conversion) {
    case 'n':
      if (to) store_count(spec->length, to, source->taken);
      return SCAN_STORED;
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'b': case 'B': case 'p':
      skip_blanks(source);
      return __rz_scan_integer(source, spec, to);
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
      skip_blanks(source);
      return __rz_scan_float(source, spec, to);
    case 's':
      skip_blanks(source);
      return __rz_scan_text(source, spec, to);
    case 'c': case '[': return __rz_scan_text(source, spec, to);
    default: return SCAN_MISMATCH;
  }
}

static int match_character(struct __rz_source *source, int wanted) {
  int c = __rz_scan_get(source);
  if (c == wanted) return SCAN_STORED;
  __rz_scan_unget(source, c);
  return c == EOF ? SCAN_END_OF_INPUT : SCAN_MISMATCH;
}

static int scan(struct scanner *scanner, const char *format) {
  while (*format) {
    int outcome = SCAN_STORED;
    if (__rz_scan_is_space((unsigned char)*format)) {
      skip_blanks(scanner->source);
      format++;
    } else if (*format != '%') {
      outcome = match_character(scanner->source, (unsigned char)*format++);
    } else if (*++format == '%') {
      skip_blanks(scanner->source);
      outcome = match_character(scanner->source, *format++);
    } else {
      struct __rz_scan_spec spec;
      int index = read_directive(&format, &spec);
      outcome = index < 0 ? SCAN_MISMATCH : convert(scanner, &spec, index);
      if (outcome == SCAN_STORED && !spec.is_suppressed && spec.conversion != 'n') scanner->stored++;
    }
    if (outcome == SCAN_NO_MEMORY) return EOF;
    if (outcome == SCAN_END_OF_INPUT) return scanner->stored ? scanner->stored : EOF;
    if (outcome == SCAN_MISMATCH) break;
  }
  return scanner->stored;
}

int __rz_scan(struct __rz_source *source, const char *format, va_list arguments) {
  struct scanner scanner = {.source = source};
  va_copy(scanner.list, arguments);
  va_copy(scanner.start, arguments);
  size_t length = __rz_raw_strlen(format);
  int result = __rz_range_scan(format, length + 1) > length ? scan(&scanner, format) : 0;
  va_end(scanner.start);
  va_end(scanner.list);
  return result;
}

RZ_RAW_END
