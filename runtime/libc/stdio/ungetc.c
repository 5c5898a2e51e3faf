#include "file.h"

int ungetc(int c, FILE *stream) {
  if (c == EOF || __rz_begin_reading(stream) || stream->next == stream->buffer) return EOF;
  stream->flags &= ~AT_END;
  *--stream->next = (unsigned char)c;
  return (unsigned char)c;
}
