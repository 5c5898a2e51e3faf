/* The forms of printf that write to memory. The sink is a local of raw code (raw.h). */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "engine.h"
#include "format.h"
#include "raw.h"

RZ_RAW_BEGIN

struct buffer_sink {
  struct __rz_sink sink;
  char *at;
  size_t room; /* for characters, without the terminating zero */
  const char *start;
};

/* Returns how many of n bytes are stored. */
static size_t take_room(struct buffer_sink *buffer, size_t n) {
  if (n > buffer->room) n = buffer->room;
  buffer->at += n;
  buffer->room -= n;
  return n;
}

static void write_buffer(struct __rz_sink *sink, const char *text, size_t n) {
  struct buffer_sink *buffer = (struct buffer_sink *)sink;
  char *at = buffer->at;
  n = take_room(buffer, n);
  if (n == 0) return;
  /* What is written ends with a zero. memcpy allows an object to be copied to itself. */
  if (text <= at + n && text + n > buffer->start) __rz_range_copy(at, text, n, RANGES_OVERLAP);
  else memcpy(at, text, n);
}

static void write_own(struct __rz_sink *sink, const char *text, size_t n) {
  struct buffer_sink *buffer = (struct buffer_sink *)sink;
  char *at = buffer->at;
  n = take_room(buffer, n);
  if (n > 0) __rz_store_own(at, text, n);
}

/* Stores at most `size` bytes, including the terminating zero. */
RZ_RAW_ENTRY static int format_buffer(char *to, size_t size, const char *format, va_list arguments) {
  struct buffer_sink buffer = {{.write = write_buffer, .write_own = write_own}, to, size == 0 ? 0 : size - 1, to};
  int result = __rz_format(&buffer.sink, format, arguments);
  if (size > 0) __rz_store_own(buffer.at, "", 1);
  return result;
}

RZ_RAW_END

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments) {
  return format_buffer(to, size, format, arguments);
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = format_buffer(to, size, format, arguments);
  va_end(arguments);
  return result;
}

/* The size of the buffer is not known here; an engine that checks stores knows it. */
int vsprintf(char *restrict to, const char *restrict format, va_list arguments) {
  return format_buffer(to, SIZE_MAX, format, arguments);
}

int sprintf(char *restrict to, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = format_buffer(to, SIZE_MAX, format, arguments);
  va_end(arguments);
  return result;
}
