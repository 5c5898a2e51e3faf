/* A stream to a growing wide string: the UTF-8 that is written is stored as wide characters. */
#include <stdlib.h>
#include <wchar.h>

#include "file.h"
#include "wide.h"

struct growing {
  wchar_t **result;
  size_t *result_length;
  wchar_t *text;
  size_t length;
  size_t capacity; /* without the terminating zero */
  mbstate_t state;
};

static int add(struct growing *growing, wchar_t c) {
  if (growing->length == growing->capacity) {
    size_t capacity = growing->capacity ? growing->capacity * 2 : 32;
    wchar_t *larger = realloc(growing->text, (capacity + 1) * sizeof *larger);
    if (!larger) return -1;
    growing->text = larger;
    growing->capacity = capacity;
  }
  growing->text[growing->length++] = c;
  growing->text[growing->length] = 0;
  return 0;
}

static ssize_t write_growing(FILE *stream, const void *from, size_t n) {
  struct growing *growing = stream->cookie;
  const char *bytes = from;
  for (size_t i = 0; i < n; i++) {
    wchar_t c;
    size_t used = __rz_utf8_decode(&c, bytes + i, 1, &growing->state);
    if (used == (size_t)-1) return -1;
    if (used != (size_t)-2 && add(growing, c) < 0) return -1;
  }
  *growing->result = growing->text;
  *growing->result_length = growing->length;
  return (ssize_t)n;
}

static int close_growing(FILE *stream) {
  free(stream->cookie);
  return 0;
}

static const struct __rz_stream_functions functions = {NULL, write_growing, NULL, close_growing};

FILE *open_wmemstream(wchar_t **text, size_t *length) {
  struct growing *growing = calloc(1, sizeof *growing);
  if (!growing) return NULL;
  growing->text = calloc(1, sizeof(wchar_t));
  growing->result = text;
  growing->result_length = length;
  FILE *stream = growing->text ? __rz_new_stream(&functions, growing, -1, CAN_WRITE) : NULL;
  if (!stream) {
    free(growing->text);
    free(growing);
    return NULL;
  }
  stream->orientation = 1;
  stream->is_utf8 = 1;
  *text = growing->text;
  *length = 0;
  return stream;
}
