#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "file.h"
#include "raw.h"

/* Makes room for `count` bytes and the terminating zero. */
static int reserve(char **line, size_t *capacity, size_t count) {
  if (*line && count < *capacity) return 0;
  size_t wanted = *line && *capacity * 2 > count ? *capacity * 2 : count + 1;
  if (wanted < 120) wanted = 120;
  char *larger = realloc(*line, wanted);
  if (!larger) return -1;
  *line = larger;
  *capacity = wanted;
  return 0;
}

ssize_t getdelim(char **restrict line, size_t *restrict capacity, int delimiter, FILE *restrict stream) {
  if (!line || !capacity) {
    errno = EINVAL;
    return -1;
  }
  if (!*line) *capacity = 0;
  size_t whole = stream->self == stream ? __rz_raw_whole_piece(stream, delimiter, SIZE_MAX) : 0;
  if (*line && whole != 0 && whole < *capacity && __rz_range_takes_write(*line, whole + 1)) {
    __rz_raw_take_text(stream, *line, whole);
    return (ssize_t)whole;
  }
  size_t count = 0;
  for (;;) {
    if (__rz_unread(stream) == 0 && __rz_fill(stream)) break;
    size_t taken = __rz_raw_unread_until(stream, delimiter, SIZE_MAX);
    if (reserve(line, capacity, count + taken) < 0) return __rz_fail(stream);
    const unsigned char *from = __rz_raw_take(stream, taken);
    char *to = *line + count;
    if (!__rz_range_is_written(from, taken) || !__rz_range_takes_write(to, taken))
      __rz_range_scan(from, taken), __rz_range_copy(to, from, taken, 0);
    __rz_raw_memmove(to, from, taken);
    count += taken;
    if (from[taken - 1] == (unsigned char)delimiter) break;
  }
  if (count == 0 || (stream->flags & HAS_FAILED)) return -1;
  (*line)[count] = 0;
  return (ssize_t)count;
}

ssize_t getline(char **restrict line, size_t *restrict capacity, FILE *restrict stream) {
  return getdelim(line, capacity, '\n', stream);
}
