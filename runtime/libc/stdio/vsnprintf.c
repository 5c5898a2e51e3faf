#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "engine.h"
#include "format.h"
#include "raw.h"

struct buffer_sink {
  struct __rz_sink sink;
  char *at;
  size_t room; /* for characters, the terminating zero not among them */
};

static void write_buffer(struct __rz_sink *sink, const char *text, size_t n) {
  struct buffer_sink *buffer = (struct buffer_sink *)sink;
  if (n > buffer->room) n = buffer->room;
  if (n == 0) return;
  memcpy(buffer->at, text, n);
  buffer->at += n;
  buffer->room -= n;
}

/* The text is raw code's own. */
static void write_own(struct __rz_sink *sink, const char *text, size_t n) {
  struct buffer_sink *buffer = (struct buffer_sink *)sink;
  if (n > buffer->room) n = buffer->room;
  if (n == 0) return;
  __rz_range_write(buffer->at, n);
  __rz_raw_memmove(buffer->at, text, n);
  buffer->at += n;
  buffer->room -= n;
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments) {
  struct buffer_sink buffer = {{.write = write_buffer, .write_own = write_own}, to, size == 0 ? 0 : size - 1};
  int result = __rz_format(&buffer.sink, format, arguments);
  if (size > 0) *buffer.at = 0;
  return result;
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vsnprintf(to, size, format, arguments);
  va_end(arguments);
  return result;
}

/* The buffer's size is not known here; an engine that checks knows it. */
int vsprintf(char *restrict to, const char *restrict format, va_list arguments) {
  return vsnprintf(to, SIZE_MAX, format, arguments);
}

int sprintf(char *restrict to, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vsnprintf(to, SIZE_MAX, format, arguments);
  va_end(arguments);
  return result;
}
