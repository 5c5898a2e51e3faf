/* The modes of a stream and its buffer: filling it, passing it on; see file.h for the picture. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine.h"
#include "file.h"
#include "raw.h"

void __rz_provide_buffer(FILE *stream) {
  __rz_list_stream(stream);
  if (stream->flags & ASK_TERMINAL) {
    int number = errno;
    stream->flags &= ~ASK_TERMINAL;
    if (isatty(stream->fd)) stream->buffering = _IOLBF;
    errno = number;
  }
  if (stream->buffer) return;
  if (stream->buffering != _IONBF) {
    stream->buffer = calloc(1, PUSHBACK + BUFSIZ);
    stream->capacity = PUSHBACK + BUFSIZ;
    if (stream->buffer) stream->flags |= OWNS_BUFFER | OF_LIBRARY;
  }
  if (!stream->buffer) {
    stream->buffering = _IONBF;
    stream->buffer = stream->small;
    stream->capacity = sizeof stream->small;
  }
}

int __rz_flush_output(FILE *stream) {
  unsigned char *from = stream->buffer;
  while (from < stream->next) {
    ssize_t count = stream->functions->write(stream, from, (size_t)(stream->next - from));
    if (count <= 0) {
      /* What could not be written is lost, as it is natively; the error is remembered. */
      stream->next = stream->buffer;
      if (stream->buffering != _IOFBF) stream->end = stream->next;
      return __rz_fail(stream);
    }
    from += count;
  }
  stream->next = stream->end = stream->buffer;
  stream->mode = IDLE;
  return 0;
}

int __rz_drop_input(FILE *stream) {
  off_t unread = stream->end - stream->next;
  stream->next = stream->end = stream->buffer;
  stream->mode = IDLE;
  if (unread == 0 || !stream->functions->seek) return 0;
  int number = errno;
  if (stream->functions->seek(stream, -unread, SEEK_CUR) >= 0) return 0;
  if (errno != ESPIPE) return EOF;
  errno = number;
  return 0;
}

static void begin(FILE *stream, int mode) {
  int is_trusted = (stream->flags & OF_LIBRARY) && stream->functions == &__rz_fd_functions;
  stream->has_raw_bytes = is_trusted && __rz_range_is_written(stream->buffer, stream->capacity);
  stream->mode = mode;
}

int __rz_begin_reading(FILE *stream) {
  if (stream->mode == READING) return 0;
  if (!(stream->flags & CAN_READ)) {
    errno = EBADF;
    return __rz_fail(stream);
  }
  if (stream->mode == WRITING && __rz_flush_output(stream)) return EOF;
  __rz_provide_buffer(stream);
  stream->next = stream->end = stream->buffer + PUSHBACK;
  begin(stream, READING);
  return 0;
}

int __rz_begin_writing(FILE *stream) {
  if (stream->mode == WRITING) return 0;
  if (!(stream->flags & CAN_WRITE)) {
    errno = EBADF;
    return __rz_fail(stream);
  }
  if (stream->mode == READING && __rz_drop_input(stream)) return __rz_fail(stream);
  __rz_provide_buffer(stream);
  stream->flags &= ~AT_END;
  stream->next = stream->buffer;
  stream->end = stream->buffering == _IOFBF ? stream->buffer + stream->capacity : stream->buffer;
  begin(stream, WRITING);
  return 0;
}

/* Flushes output to a terminal before the program waits for input, so that prompts are shown. */
static void flush_line_buffered(void) {
  for (FILE *stream = __rz_first_stream(); stream; stream = stream->following) {
    if (stream->mode == WRITING && stream->buffering == _IOLBF) __rz_flush_output(stream);
  }
}

int __rz_fill(FILE *stream) {
  if (__rz_begin_reading(stream)) return EOF;
  if (stream->next < stream->end) return 0;
  if (stream->buffering != _IOFBF || stream->fd == 0) flush_line_buffered();
  unsigned char *start = stream->buffer + PUSHBACK;
  size_t wanted = stream->buffering == _IONBF ? 1 : stream->capacity - PUSHBACK;
  ssize_t count = stream->functions->read(stream, start, wanted);
  stream->next = stream->end = start;
  if (count <= 0) {
    stream->flags |= count == 0 ? AT_END : HAS_FAILED;
    return EOF;
  }
  stream->end = start + count;
  return 0;
}

unsigned char *__rz_raw_take(FILE *stream, size_t n) {
  unsigned char *at = stream->next;
  stream->next = at + n;
  return at;
}

unsigned char *__rz_raw_take_unread(FILE *stream) {
  return stream->mode == READING && stream->next < stream->end ? stream->next++ : NULL;
}

unsigned char *__rz_raw_take_free(FILE *stream) {
  return stream->mode == WRITING && stream->next < stream->end ? stream->next++ : NULL;
}

size_t __rz_raw_unread(const FILE *stream) { return stream->mode == READING ? (size_t)(stream->end - stream->next) : 0; }

size_t __rz_raw_free(const FILE *stream) { return stream->mode == WRITING ? (size_t)(stream->end - stream->next) : 0; }

int __rz_raw_getc(FILE *stream) {
  int is_ready = stream->mode == READING && stream->has_raw_bytes && stream->next < stream->end;
  return is_ready ? *stream->next++ : EOF;
}

int __rz_raw_putc(int c, FILE *stream) {
  int is_ready = stream->mode == WRITING && stream->has_raw_bytes && stream->next < stream->end;
  return is_ready ? (*stream->next++ = (unsigned char)c) : EOF;
}

int __rz_raw_has_raw_bytes(const FILE *stream) { return stream->has_raw_bytes; }

int __rz_raw_has_unread(const FILE *stream, size_t n) { return stream->has_raw_bytes && n <= __rz_raw_unread(stream); }

size_t __rz_raw_whole_piece(const FILE *stream, int delimiter, size_t n) {
  if (!stream->has_raw_bytes) return 0;
  size_t count = __rz_raw_unread_until(stream, delimiter, n);
  return count != 0 && (count == n || stream->next[count - 1] == (unsigned char)delimiter) ? count : 0;
}

void __rz_raw_take_text(FILE *stream, char *to, size_t n) {
  __rz_raw_memmove(to, __rz_raw_take(stream, n), n);
  to[n] = 0;
}

size_t __rz_raw_unread_until(const FILE *stream, int delimiter, size_t n) {
  size_t ready = __rz_raw_unread(stream);
  if (n > ready) n = ready;
  const unsigned char *found = __rz_raw_memchr(stream->next, delimiter, n);
  return found ? (size_t)(found - stream->next) + 1 : n;
}

int __rz_get_byte(FILE *stream) {
  const unsigned char *at = stream->self == stream ? __rz_raw_take_unread(stream) : NULL;
  if (at) return *at;
  return __rz_fill(stream) ? EOF : *stream->next++;
}

int __rz_put_byte(int c, FILE *stream) {
  unsigned char *at = stream->self == stream ? __rz_raw_take_free(stream) : NULL;
  if (at) return *at = (unsigned char)c;
  unsigned char byte = (unsigned char)c;
  return __rz_write_bytes(stream, &byte, 1) == 1 ? byte : EOF;
}
