#include <stdio_ext.h>

#include "file.h"

size_t __fbufsize(FILE *stream) { return stream->buffering == _IONBF ? 0 : stream->buffer ? stream->capacity : BUFSIZ; }
size_t __fpending(FILE *stream) { return stream->mode == WRITING ? (size_t)(stream->next - stream->buffer) : 0; }
int __freading(FILE *stream) { return stream->mode == READING || !(stream->flags & CAN_WRITE); }
int __fwriting(FILE *stream) { return stream->mode == WRITING || !(stream->flags & CAN_READ); }
int __freadable(FILE *stream) { return (stream->flags & CAN_READ) != 0; }
int __fwritable(FILE *stream) { return (stream->flags & CAN_WRITE) != 0; }
int __flbf(FILE *stream) { return stream->buffering == _IOLBF; }

void __fpurge(FILE *stream) {
  stream->next = stream->end = stream->buffer;
  stream->mode = IDLE;
}

void _flushlbf(void) { fflush(NULL); }

int __fsetlocking(FILE *stream, int type) {
  (void)stream, (void)type;
  return FSETLOCKING_INTERNAL;
}
