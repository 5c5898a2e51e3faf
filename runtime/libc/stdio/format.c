/*
 * The engine of printf: walks the format, reads each conversion, fetches its argument and has it
 * written.
 *
 * Arguments are fetched in order, or, if conversions name them (%2$d), all at once before the first
 * is written: only the types that the format states tell how to find the second argument behind the
 * first.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "format.h"

#define MOST_NAMED 64               /* NL_ARGMAX */
#define LARGEST (INT_MAX - 64)      /* width or precision; more cannot be printed anyway */

enum argument_type { NOTHING, INTEGER32, INTEGER64, POINTER, DOUBLE, LONG_DOUBLE };

union argument {
  uint64_t integer;
  void *pointer;
  double number;
  long double long_number;
};

struct engine {
  struct __rz_sink *sink;
  va_list list;
  union argument *named; /* by index from 1; NULL if the format names none */
};

/*
 * A conversion as it stands in the format. An index of -1 means "the next argument"; 0 means none.
 */
struct directive {
  struct __rz_spec spec;
  int width_index;
  int precision_index;
  int value_index;
};

static union argument fetch(struct engine *engine, enum argument_type type) {
  union argument value = {0};
  switch (type) {
    case INTEGER32: value.integer = (uint64_t)va_arg(engine->list, int); break;
    case INTEGER64: value.integer = va_arg(engine->list, uint64_t); break;
    case POINTER: value.pointer = va_arg(engine->list, void *); break;
    case DOUBLE: value.number = va_arg(engine->list, double); break;
    case LONG_DOUBLE: value.long_number = va_arg(engine->list, long double); break;
    case NOTHING: break;
  }
  return value;
}

static union argument argument_at(struct engine *engine, int index, enum argument_type type) {
  return index > 0 && engine->named ? engine->named[index] : fetch(engine, type);
}

/* ── reading a directive ── */

/* A decimal number, LARGEST at most; -1 if it is larger. */
static int read_number(const char **at) {
  int n = 0;
  for (; **at >= '0' && **at <= '9'; ++*at) {
    if (n >= 0) n = n > (LARGEST - 9) / 10 ? -1 : n * 10 + (**at - '0');
  }
  return n;
}

static int flag_of(char c) {
  switch (c) {
    case '-': return ALIGN_LEFT;
    case '+': return PLUS;
    case ' ': return SPACE;
    case '#': return ALTERNATE;
    case '0': return ZERO;
    case '\'': case 'I': return 64; /* grouping and other digits: the C locale has neither */
    default: return 0;
  }
}

/* After a *: the index of the argument, or -1 for the next. */
static int read_star(const char **at) {
  const char *digits = *at;
  if (*digits < '0' || *digits > '9') return -1;
  int index = read_number(&digits);
  if (*digits != '$' || index < 1 || index > MOST_NAMED) return -1;
  *at = digits + 1;
  return index;
}

/* w8, w16, w32, w64, and wf8 ... for the fast types, of which all but the first have 64 bits. */
static int read_width_length(const char **at) {
  int fast = **at == 'f';
  if (fast) ++*at;
  switch (read_number(at)) {
    case 8: return LENGTH_CHAR;
    case 16: return fast ? LENGTH_LONG : LENGTH_SHORT;
    case 32: return fast ? LENGTH_LONG : LENGTH_INT;
    default: return LENGTH_LONG;
  }
}

static int read_length(const char **at) {
  switch (*(*at)++) {
    case 'h':
      if (**at != 'h') return LENGTH_SHORT;
      ++*at;
      return LENGTH_CHAR;
    case 'l':
      if (**at == 'l') ++*at;
      return LENGTH_LONG;
    case 'q': case 'j': case 'z': case 'Z': case 't': return LENGTH_LONG;
    case 'L': return LENGTH_LONG_DOUBLE;
    case 'w': return read_width_length(at);
    default: --*at; return LENGTH_INT;
  }
}

/* Reads what follows a %; -1 with errno if it is no directive. */
static int read_directive(const char **at, struct directive *out) {
  *out = (struct directive){.spec = {.precision = -1}, .value_index = -1};
  struct __rz_spec *spec = &out->spec;

  const char *digits = *at;
  int index = *digits >= '1' && *digits <= '9' ? read_number(&digits) : 0;
  if (index != 0 && *digits == '$') {
    if (index < 0 || index > MOST_NAMED) goto invalid;
    out->value_index = index;
    *at = digits + 1;
  }
  for (int flag; (flag = flag_of(**at)) != 0; ++*at) spec->flags |= flag;
  if (**at == '*') {
    ++*at;
    out->width_index = read_star(at);
  } else if ((spec->width = read_number(at)) < 0) {
    goto too_large;
  }
  if (**at == '.') {
    ++*at;
    if (**at == '*') {
      ++*at;
      out->precision_index = read_star(at);
    } else if (**at == '-') {
      ++*at; /* a negative precision is as if there were none */
      read_number(at);
    } else if ((spec->precision = read_number(at)) < 0) {
      goto too_large;
    }
  }
  spec->length = read_length(at);
  spec->conversion = **at;
  if (spec->conversion == 0) goto invalid;
  ++*at;
  if (spec->conversion == 'C' || spec->conversion == 'S') {
    spec->conversion = (char)(spec->conversion | 0x20);
    spec->length = LENGTH_LONG;
  }
  return 0;

too_large:
  errno = EOVERFLOW;
  return -1;
invalid:
  errno = EINVAL;
  return -1;
}

static enum argument_type type_of(const struct __rz_spec *spec) {
  switch (spec->conversion) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'b': case 'B':
      return spec->length == LENGTH_LONG || spec->length == LENGTH_LONG_DOUBLE ? INTEGER64 : INTEGER32;
    case 'c': return INTEGER32;
    case 's': case 'p': case 'n': return POINTER;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
      return spec->length == LENGTH_LONG_DOUBLE ? LONG_DOUBLE : DOUBLE;
    default: return NOTHING;
  }
}

/* ── named arguments ── */

/* Finds the type of every named argument and fetches them all. */
static int fetch_named(struct engine *engine, const char *format) {
  enum argument_type types[MOST_NAMED + 1] = {NOTHING};
  int last = 0;
  while ((format = strchr(format, '%')) != NULL) {
    struct directive directive;
    format++;
    if (read_directive(&format, &directive) < 0) return -1;
    const int indices[3] = {directive.width_index, directive.precision_index, directive.value_index};
    const enum argument_type wanted[3] = {INTEGER32, INTEGER32, type_of(&directive.spec)};
    for (int i = 0; i < 3; i++) {
      if (indices[i] <= 0 || wanted[i] == NOTHING) continue;
      types[indices[i]] = wanted[i];
      if (indices[i] > last) last = indices[i];
    }
  }
  for (int i = 1; i <= last; i++) {
    if (types[i] == NOTHING) types[i] = INTEGER32; /* a gap: nothing says what it is */
    engine->named[i] = fetch(engine, types[i]);
  }
  return 0;
}

static int names_arguments(const char *format) {
  while ((format = strchr(format, '%')) != NULL) {
    format++;
    if (*format == '%') {
      format++;
      continue;
    }
    const char *at = format;
    if (*at >= '1' && *at <= '9' && read_number(&at) > 0 && *at == '$') return 1;
    return 0; /* a format names all arguments or none */
  }
  return 0;
}

/* ── conversions ── */

static uint64_t cut(uint64_t value, const struct __rz_spec *spec) {
  int is_signed = spec->conversion == 'd' || spec->conversion == 'i';
  switch (spec->length) {
    case LENGTH_CHAR: return is_signed ? (uint64_t)(signed char)value : (unsigned char)value;
    case LENGTH_SHORT: return is_signed ? (uint64_t)(short)value : (unsigned short)value;
    case LENGTH_INT: return is_signed ? (uint64_t)(int)value : (unsigned)value;
    default: return value;
  }
}

static void store_count(const struct __rz_spec *spec, void *to, size_t count) {
  switch (spec->length) {
    case LENGTH_CHAR: *(signed char *)to = (signed char)count; break;
    case LENGTH_SHORT: *(short *)to = (short)count; break;
    case LENGTH_INT: *(int *)to = (int)count; break;
    default: *(long *)to = (long)count; break;
  }
}

static void convert(struct engine *engine, const struct directive *directive, int saved_errno) {
  struct __rz_sink *sink = engine->sink;
  const struct __rz_spec *spec = &directive->spec;
  union argument value = argument_at(engine, directive->value_index, type_of(spec));
  switch (spec->conversion) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'b': case 'B':
      __rz_format_integer(sink, spec, cut(value.integer, spec));
      break;
    case 'c': __rz_format_character(sink, spec, (int)value.integer); break;
    case 's':
      if (spec->length == LENGTH_LONG) __rz_format_wide(sink, spec, value.pointer);
      else __rz_format_string(sink, spec, value.pointer);
      break;
    case 'p':
      if (value.pointer) __rz_format_integer(sink, spec, (uintptr_t)value.pointer);
      else __rz_format_string(sink, &(struct __rz_spec){spec->flags, spec->width, -1, LENGTH_INT, 's'}, "(nil)");
      break;
    case 'n': store_count(spec, value.pointer, sink->total); break;
    case 'm': __rz_format_string(sink, spec, strerror(saved_errno)); break;
    case '%': __rz_sink_write(sink, "%", 1); break;
    default:
      if (spec->length == LENGTH_LONG_DOUBLE) __rz_format_long_double(sink, spec, value.long_number);
      else __rz_format_double(sink, spec, value.number);
  }
}

static int is_conversion(char c) { return c != 0 && strchr("diouxXbBcspnm%aAeEfFgG", c) != NULL; }

/* Fills in the widths that are arguments. */
static int settle(struct engine *engine, struct directive *directive) {
  struct __rz_spec *spec = &directive->spec;
  if (directive->width_index) {
    int width = (int)argument_at(engine, directive->width_index, INTEGER32).integer;
    if (width < 0) spec->flags |= ALIGN_LEFT;
    if (width < -LARGEST || width > LARGEST) {
      errno = EOVERFLOW;
      return -1;
    }
    spec->width = width < 0 ? -width : width;
  }
  if (directive->precision_index) {
    int precision = (int)argument_at(engine, directive->precision_index, INTEGER32).integer;
    if (precision > LARGEST) {
      errno = EOVERFLOW;
      return -1;
    }
    spec->precision = precision < 0 ? -1 : precision;
  }
  return 0;
}

static int run(struct engine *engine, const char *format, int saved_errno) {
  struct __rz_sink *sink = engine->sink;
  for (;;) {
    const char *percent = strchrnul(format, '%');
    __rz_sink_write(sink, format, (size_t)(percent - format));
    if (*percent == 0) break;
    struct directive directive;
    format = percent + 1;
    if (read_directive(&format, &directive) < 0 || settle(engine, &directive) < 0) return -1;
    if (is_conversion(directive.spec.conversion)) convert(engine, &directive, saved_errno);
    else __rz_sink_write(sink, percent, (size_t)(format - percent)); /* unknown: printed as it stands */
    if (sink->failed) return -1;
    if (sink->total > INT_MAX) {
      errno = EOVERFLOW;
      return -1;
    }
  }
  return sink->failed ? -1 : (int)sink->total;
}

/* Apart, so that only a format that names arguments pays for the room to keep them. */
__attribute__((noinline)) static int run_named(struct engine *engine, const char *format, int saved_errno) {
  union argument named[MOST_NAMED + 1];
  engine->named = named;
  return fetch_named(engine, format) < 0 ? -1 : run(engine, format, saved_errno);
}

int __rz_format(struct __rz_sink *sink, const char *format, va_list arguments) {
  struct engine engine = {.sink = sink};
  va_copy(engine.list, arguments);
  int result = names_arguments(format) ? run_named(&engine, format, errno) : run(&engine, format, errno);
  va_end(engine.list);
  return result;
}
