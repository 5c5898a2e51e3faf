/*
 * The engine of printf: walks the format, reads each conversion, fetches its argument and has it
 * written.
 *
 * Arguments are fetched in order, or, if conversions name them (%2$d), all at once before the first
 * is written: only the types that the format states tell how to find the second argument after the
 * first.
 *
 * All of it is raw code (raw.h): the text of the format is stated once, as a whole, and each
 * argument when it is fetched. What reads the format gets the end of the text, and takes what is
 * there for a zero, whether or not one is.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "engine.h"
#include "format.h"

#define MOST_NAMED 64               /* NL_ARGMAX */
#define SLOT_BYTES 8                /* of variable arguments */
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
  int error; /* an errno */
  int width_index;
  int precision_index;
  int value_index;
};

/* %n: a store of the program's, to where it says. */
__attribute__((noinline)) static void store_count(int length, void *to, size_t count) {
  switch (length) {
    case LENGTH_CHAR: *(signed char *)to = (signed char)count; break;
    case LENGTH_SHORT: *(short *)to = (short)count; break;
    case LENGTH_INT: *(int *)to = (int)count; break;
    default: *(long *)to = (long)count; break;
  }
}

RZ_RAW_BEGIN

/* States that the next argument is read: a list is a pointer, and arguments lie in slots. */
static void state_argument(struct engine *engine, size_t bytes) {
  const char *list = (const char *)engine->list;
  const size_t align = bytes < SLOT_BYTES ? SLOT_BYTES : bytes;
  __rz_range_read(list + (-(uintptr_t)list & (align - 1)), bytes);
}

/* The next argument, or the one with that index. */
static uint64_t integer_at(struct engine *engine, int index, enum argument_type type) {
  if (index > 0 && engine->named) return engine->named[index].integer;
  state_argument(engine, type == INTEGER32 ? sizeof(int) : sizeof(uint64_t));
  return type == INTEGER32 ? (uint64_t)va_arg(engine->list, int) : va_arg(engine->list, uint64_t);
}
static void *pointer_at(struct engine *engine, int index) {
  if (index > 0 && engine->named) return engine->named[index].pointer;
  state_argument(engine, sizeof(void *));
  return va_arg(engine->list, void *);
}
static double double_at(struct engine *engine, int index) {
  if (index > 0 && engine->named) return engine->named[index].number;
  state_argument(engine, sizeof(double));
  return va_arg(engine->list, double);
}
static long double long_double_at(struct engine *engine, int index) {
  if (index > 0 && engine->named) return engine->named[index].long_number;
  state_argument(engine, sizeof(long double));
  return va_arg(engine->list, long double);
}

static void fetch(struct engine *engine, enum argument_type type, union argument *to) {
  switch (type) {
    case INTEGER32: case INTEGER64: to->integer = integer_at(engine, 0, type); break;
    case POINTER: to->pointer = pointer_at(engine, 0); break;
    case DOUBLE: to->number = double_at(engine, 0); break;
    case LONG_DOUBLE: to->long_number = long_double_at(engine, 0); break;
    case NOTHING: break;
  }
}

/* ── reading a directive ── */

struct format_text {
  const char *at;
  const char *end;
};

static char peek(const struct format_text *text) { return text->at < text->end ? *text->at : 0; }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* A decimal number, LARGEST at most; -1 if it is larger. */
static int read_number(struct format_text *text) {
  int n = 0;
  for (; is_digit(peek(text)); text->at++) {
    if (n >= 0) n = n > (LARGEST - 9) / 10 ? -1 : n * 10 + (*text->at - '0');
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

/* An index with its $; 0, with nothing read, if there is none; -1 if there is no such argument. */
static int read_index(struct format_text *text) {
  struct format_text ahead = *text;
  if (!is_digit(peek(&ahead)) || peek(&ahead) == '0') return 0;
  int index = read_number(&ahead);
  if (peek(&ahead) != '$') return 0;
  if (index < 1 || index > MOST_NAMED) return -1;
  ahead.at++;
  *text = ahead;
  return index;
}

/* After a *: the index of the argument, or -1 for the next. */
static int read_star(struct format_text *text) {
  int index = read_index(text);
  return index > 0 ? index : -1;
}

/* w8, w16, w32, w64, and wf8 ... for the fast types, of which all but the first have 64 bits. */
static int read_width_length(struct format_text *text) {
  int fast = peek(text) == 'f';
  if (fast) text->at++;
  switch (read_number(text)) {
    case 8: return LENGTH_CHAR;
    case 16: return fast ? LENGTH_LONG : LENGTH_SHORT;
    case 32: return fast ? LENGTH_LONG : LENGTH_INT;
    default: return LENGTH_LONG;
  }
}

static int read_length(struct format_text *text) {
  char letter = peek(text);
  switch (letter) {
    case 'h': case 'l':
      text->at++;
      if (peek(text) != letter) return letter == 'h' ? LENGTH_SHORT : LENGTH_LONG;
      text->at++;
      return letter == 'h' ? LENGTH_CHAR : LENGTH_LONG;
    case 'q': case 'j': case 'z': case 'Z': case 't': text->at++; return LENGTH_LONG;
    case 'L': text->at++; return LENGTH_LONG_DOUBLE;
    case 'w': text->at++; return read_width_length(text);
    default: return LENGTH_INT;
  }
}

/* The error of a directive, or 0. */
static int read_parts(struct format_text *text, struct directive *out) {
  struct __rz_spec *spec = &out->spec;
  int index = read_index(text);
  if (index < 0) return EINVAL;
  if (index > 0) out->value_index = index;
  for (int flag; (flag = flag_of(peek(text))) != 0; text->at++) spec->flags |= flag;
  if (peek(text) == '*') {
    text->at++;
    out->width_index = read_star(text);
  } else if ((spec->width = read_number(text)) < 0) {
    return EOVERFLOW;
  }
  if (peek(text) == '.') {
    text->at++;
    if (peek(text) == '*') {
      text->at++;
      out->precision_index = read_star(text);
    } else if (peek(text) == '-') {
      text->at++; /* a negative precision is as if there were none */
      read_number(text);
    } else if ((spec->precision = read_number(text)) < 0) {
      return EOVERFLOW;
    }
  }
  spec->length = read_length(text);
  spec->conversion = peek(text);
  if (spec->conversion == 0) return EINVAL;
  text->at++;
  if (spec->conversion == 'C' || spec->conversion == 'S') {
    spec->conversion = (char)(spec->conversion | 0x20);
    spec->length = LENGTH_LONG;
  }
  return 0;
}

/* Reads what follows a %, and returns what is after it. */
static const char *read_directive(const char *at, const char *end, struct directive *out) {
  struct format_text text = {at, end};
  *out = (struct directive){.spec = {.precision = -1}, .value_index = -1};
  out->error = read_parts(&text, out);
  return text.at;
}

/* The next % from here on, or the end. */
static const char *find_percent(const char *at, const char *end) {
  const char *found = __rz_raw_memchr(at, '%', (size_t)(end - at));
  return found ? found : end;
}

/* A format has an index for all arguments or for none: the first directive decides. */
static int names_arguments(const char *format, const char *end) {
  struct format_text text = {format, end};
  while ((text.at = find_percent(text.at, end)) < end) {
    text.at++;
    if (peek(&text) != '%') return read_index(&text) != 0;
    text.at++;
  }
  return 0;
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

static uint64_t cut(uint64_t value, const struct __rz_spec *spec) {
  int is_signed = spec->conversion == 'd' || spec->conversion == 'i';
  switch (spec->length) {
    case LENGTH_CHAR: return is_signed ? (uint64_t)(signed char)value : (unsigned char)value;
    case LENGTH_SHORT: return is_signed ? (uint64_t)(short)value : (unsigned short)value;
    case LENGTH_INT: return is_signed ? (uint64_t)(int)value : (unsigned)value;
    default: return value;
  }
}

static int is_conversion(char c) {
  for (const char *known = "diouxXbBcspnm%aAeEfFgG"; *known; known++)
    if (*known == c) return 1;
  return 0;
}

/* ── named arguments ── */

/* Finds the type of every named argument and fetches them all. */
static int fetch_named(struct engine *engine, const char *format, const char *end) {
  enum argument_type types[MOST_NAMED + 1] = {NOTHING};
  int last = 0;
  while ((format = find_percent(format, end)) < end) {
    struct directive directive;
    format = read_directive(format + 1, end, &directive);
    if (directive.error) {
      errno = directive.error;
      return -1;
    }
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
    engine->named[i] = (union argument){0};
    fetch(engine, types[i], &engine->named[i]);
  }
  return 0;
}

/* ── conversions ── */

static void convert(struct engine *engine, const struct directive *directive, int saved_errno) {
  struct __rz_sink *sink = engine->sink;
  const struct __rz_spec *spec = &directive->spec;
  const int index = directive->value_index;
  switch (spec->conversion) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'b': case 'B':
      __rz_format_integer(sink, spec, cut(integer_at(engine, index, type_of(spec)), spec));
      break;
    case 'c': __rz_format_character(sink, spec, (int)integer_at(engine, index, INTEGER32)); break;
    case 's':
      if (spec->length == LENGTH_LONG) __rz_format_wide(sink, spec, pointer_at(engine, index));
      else __rz_format_string(sink, spec, pointer_at(engine, index));
      break;
    case 'p': {
      void *pointer = pointer_at(engine, index);
      if (pointer) __rz_format_integer(sink, spec, (uintptr_t)pointer);
      else __rz_format_string(sink, &(struct __rz_spec){spec->flags, spec->width, -1, LENGTH_INT, 's'}, "(nil)");
      break;
    }
    case 'n': store_count(spec->length, pointer_at(engine, index), sink->total); break;
    case 'm': __rz_format_string(sink, spec, strerror(saved_errno)); break;
    case '%': __rz_sink_write_own(sink, "%", 1); break;
    default:
      if (spec->length == LENGTH_LONG_DOUBLE) __rz_format_long_double(sink, spec, long_double_at(engine, index));
      else __rz_format_double(sink, spec, double_at(engine, index));
  }
}

/* Fills in the widths that are arguments. */
static int settle(struct engine *engine, struct directive *directive) {
  struct __rz_spec *spec = &directive->spec;
  if (directive->width_index) {
    int width = (int)integer_at(engine, directive->width_index, INTEGER32);
    if (width < 0) spec->flags |= ALIGN_LEFT;
    if (width < -LARGEST || width > LARGEST) {
      errno = EOVERFLOW;
      return -1;
    }
    spec->width = width < 0 ? -width : width;
  }
  if (directive->precision_index) {
    int precision = (int)integer_at(engine, directive->precision_index, INTEGER32);
    if (precision > LARGEST) {
      errno = EOVERFLOW;
      return -1;
    }
    spec->precision = precision < 0 ? -1 : precision;
  }
  return 0;
}

static int run(struct engine *engine, const char *format, const char *end, int saved_errno) {
  struct __rz_sink *sink = engine->sink;
  struct directive directive;
  for (;;) {
    const char *percent = find_percent(format, end);
    __rz_sink_write(sink, format, (size_t)(percent - format));
    if (percent == end) break;
    format = read_directive(percent + 1, end, &directive);
    if (directive.error) {
      errno = directive.error;
      return -1;
    }
    if (settle(engine, &directive) < 0) return -1;
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

/* Apart, so that only a format that names arguments takes the stack to keep them. */
__attribute__((noinline)) static int run_named(struct engine *engine, const char *format, const char *end, int saved_errno) {
  union argument named[MOST_NAMED + 1];
  engine->named = named;
  return fetch_named(engine, format, end) < 0 ? -1 : run(engine, format, end, saved_errno);
}

int __rz_format(struct __rz_sink *sink, const char *format, va_list arguments) {
  struct engine engine = {.sink = sink};
  const size_t length = __rz_raw_strlen(format), seen = __rz_range_scan(format, length + 1);
  const char *end = format + (seen > length ? length : seen);
  va_copy(engine.list, arguments);
  int result = names_arguments(format, end) ? run_named(&engine, format, end, errno) : run(&engine, format, end, errno);
  va_end(engine.list);
  return result;
}

RZ_RAW_END
