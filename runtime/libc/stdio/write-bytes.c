/* Writes many bytes at once, in the way that the stream's buffering mode requires. */
#include <string.h>

#include "engine.h"
#include "file.h"
#include "raw.h"

/* Writes n bytes directly; the buffer is empty. */
static size_t write_through(FILE *stream, const unsigned char *from, size_t n) {
  size_t done = 0;
  while (done < n) {
    ssize_t count = stream->functions->write(stream, from + done, n - done);
    if (count <= 0) {
      __rz_fail(stream);
      break;
    }
    done += (size_t)count;
  }
  return done;
}

/* Writes through the buffer, which is flushed whenever it is full. */
static size_t write_buffered(FILE *stream, const unsigned char *from, size_t n) {
  size_t left = n;
  while (left > 0) {
    size_t used = (size_t)(stream->next - stream->buffer);
    size_t room = stream->capacity - used;
    if (used == 0 && left >= room) return n - left + write_through(stream, from, left);
    size_t count = room < left ? room : left;
    memcpy(stream->next, from, count);
    stream->next += count;
    from += count;
    left -= count;
    if (count < room) break;
    if (__rz_flush_output(stream) || __rz_begin_writing(stream)) break;
  }
  if (stream->buffering == _IOLBF) stream->end = stream->next;
  return n - left;
}

/* At least one byte stays free, since a full buffer is flushed. */
static inline __attribute__((always_inline)) int has_room(const FILE *stream, size_t n) {
  return stream->self == stream && n < __rz_raw_free(stream);
}

static inline __attribute__((always_inline)) size_t append(FILE *stream, const void *from, size_t n) {
  int is_raw = __rz_raw_has_raw_bytes(stream);
  unsigned char *to = __rz_raw_take(stream, n);
  if (!is_raw) __rz_range_write(to, n);
  __rz_raw_memmove(to, from, n);
  return n;
}

size_t __rz_write_own_bytes(FILE *stream, const char *from, size_t n) {
  if (has_room(stream, n)) return append(stream, from, n);
  unsigned char piece[96];
  size_t done = 0;
  while (done < n) {
    size_t count = n - done < sizeof piece ? n - done : sizeof piece;
    __rz_range_write(piece, count);
    __rz_raw_memmove(piece, from + done, count);
    size_t written = __rz_write_bytes(stream, piece, count);
    done += written;
    if (written < count) break;
  }
  return done;
}

size_t __rz_write_bytes(FILE *stream, const void *from, size_t n) {
  if (has_room(stream, n)) return append(stream, from, n);
  if (n == 0 || __rz_begin_writing(stream)) return 0;
  if (stream->buffering == _IONBF) return write_through(stream, from, n);
  if (stream->buffering == _IOFBF) return write_buffered(stream, from, n);
  const unsigned char *newline = memrchr(from, '\n', n);
  if (!newline) return write_buffered(stream, from, n);
  size_t lines = (size_t)(newline - (const unsigned char *)from) + 1;
  size_t done = write_buffered(stream, from, lines);
  if (done < lines || __rz_flush_output(stream)) return done;
  if (lines == n || __rz_begin_writing(stream)) return done;
  return lines + write_buffered(stream, newline + 1, n - lines);
}
