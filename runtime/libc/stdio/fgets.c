#include "engine.h"
#include "file.h"
#include "raw.h"

char *fgets(char *restrict line, int size, FILE *restrict stream) {
  if (size <= 0) return NULL;
  char *at = line;
  size_t room = (size_t)size - 1;
  size_t whole = stream->self == stream ? __rz_raw_whole_piece(stream, '\n', room) : 0;
  if (whole != 0 && __rz_range_takes_write(line, whole + 1)) {
    __rz_raw_take_text(stream, line, whole);
    return line;
  }
  while (room > 0) {
    if (__rz_unread(stream) == 0 && __rz_fill(stream)) {
      if (at == line || (stream->flags & HAS_FAILED)) return NULL;
      break;
    }
    size_t count = __rz_raw_unread_until(stream, '\n', room);
    const unsigned char *from = __rz_raw_take(stream, count);
    if (!__rz_range_is_written(from, count) || !__rz_range_takes_write(at, count))
      __rz_range_scan(from, count), __rz_range_copy(at, from, count, 0);
    __rz_raw_memmove(at, from, count);
    at += count;
    room -= count;
    if (from[count - 1] == '\n') break;
  }
  *at = 0;
  return line;
}

char *fgets_unlocked(char *restrict line, int size, FILE *restrict stream) { return fgets(line, size, stream); }
