#include <string.h>

#include "file.h"

char *fgets(char *restrict line, int size, FILE *restrict stream) {
  if (size <= 0) return NULL;
  char *at = line;
  size_t room = (size_t)size - 1;
  while (room > 0) {
    if (__rz_fill(stream)) {
      if (at == line || (stream->flags & HAS_FAILED)) return NULL;
      break;
    }
    size_t ready = (size_t)(stream->end - stream->next);
    size_t count = ready < room ? ready : room;
    unsigned char *newline = memchr(stream->next, '\n', count);
    if (newline) count = (size_t)(newline - stream->next) + 1;
    memcpy(at, stream->next, count);
    stream->next += count;
    at += count;
    room -= count;
    if (newline) break;
  }
  *at = 0;
  return line;
}

char *fgets_unlocked(char *restrict line, int size, FILE *restrict stream) { return fgets(line, size, stream); }
