#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

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
  size_t count = 0;
  for (;;) {
    if (__rz_fill(stream)) break;
    size_t ready = (size_t)(stream->end - stream->next);
    unsigned char *found = memchr(stream->next, delimiter, ready);
    size_t taken = found ? (size_t)(found - stream->next) + 1 : ready;
    if (reserve(line, capacity, count + taken) < 0) return __rz_fail(stream);
    memcpy(*line + count, stream->next, taken);
    stream->next += taken;
    count += taken;
    if (found) break;
  }
  if (count == 0 || (stream->flags & HAS_FAILED)) return -1;
  (*line)[count] = 0;
  return (ssize_t)count;
}

ssize_t getline(char **restrict line, size_t *restrict capacity, FILE *restrict stream) {
  return getdelim(line, capacity, '\n', stream);
}
