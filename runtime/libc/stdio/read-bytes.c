/*
 * Many bytes at once: from the buffer, then straight from below while a whole buffer or more is
 * wanted.
 */
#include <string.h>

#include "engine.h"
#include "file.h"
#include "raw.h"

size_t __rz_read_bytes(FILE *stream, void *to, size_t n) {
  int is_stream = n != 0 && stream->self == stream;
  if (is_stream && __rz_raw_has_unread(stream, n) && __rz_range_takes_write(to, n)) {
    __rz_raw_memmove(to, __rz_raw_take(stream, n), n);
    return n;
  }
  if (is_stream && n <= __rz_raw_unread(stream)) {
    const unsigned char *from = __rz_raw_take(stream, n);
    __rz_range_copy(to, from, n, 0);
    __rz_raw_memmove(to, from, n);
    return n;
  }
  unsigned char *at = to;
  size_t left = n;
  if (n == 0 || __rz_begin_reading(stream)) return 0;
  while (left > 0) {
    size_t ready = (size_t)(stream->end - stream->next);
    if (ready > 0) {
      size_t count = ready < left ? ready : left;
      memcpy(at, stream->next, count);
      stream->next += count;
      at += count;
      left -= count;
    } else if (left >= stream->capacity) {
      ssize_t count = stream->functions->read(stream, at, left);
      if (count <= 0) {
        stream->flags |= count == 0 ? AT_END : HAS_FAILED;
        break;
      }
      at += count;
      left -= (size_t)count;
    } else if (__rz_fill(stream)) {
      break;
    }
  }
  return n - left;
}
