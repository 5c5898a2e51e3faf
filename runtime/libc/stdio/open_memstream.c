/*
 * A stream that grows memory; the caller sees where it is and how long after each flush, and owns
 * it after fclose.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

struct growing {
  char **result;
  size_t *result_size;
  char *bytes;
  size_t size;
  size_t capacity; /* the zero after the bytes not counted */
  size_t position;
};

static void publish(struct growing *growing) {
  *growing->result = growing->bytes;
  *growing->result_size = growing->position < growing->size ? growing->position : growing->size;
}

static int reserve(struct growing *growing, size_t wanted) {
  if (wanted <= growing->capacity) return 0;
  size_t capacity = growing->capacity * 2 > wanted ? growing->capacity * 2 : wanted;
  char *larger = realloc(growing->bytes, capacity + 1);
  if (!larger) return -1;
  memset(larger + growing->capacity + 1, 0, capacity - growing->capacity);
  growing->bytes = larger;
  growing->capacity = capacity;
  return 0;
}

static ssize_t write_growing(FILE *stream, const void *from, size_t n) {
  struct growing *growing = stream->cookie;
  if (reserve(growing, growing->position + n) < 0) return -1;
  memcpy(growing->bytes + growing->position, from, n);
  growing->position += n;
  if (growing->position > growing->size) growing->size = growing->position;
  growing->bytes[growing->size] = 0;
  publish(growing);
  return (ssize_t)n;
}

static off_t seek_growing(FILE *stream, off_t offset, int whence) {
  struct growing *growing = stream->cookie;
  size_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? growing->position : growing->size;
  off_t position = (off_t)base + offset;
  if (position < 0) {
    errno = EINVAL;
    return -1;
  }
  growing->position = (size_t)position;
  publish(growing);
  return position;
}

static int close_growing(FILE *stream) {
  free(stream->cookie);
  return 0;
}

static const struct __rz_stream_functions functions = {NULL, write_growing, seek_growing, close_growing};

FILE *open_memstream(char **buffer, size_t *size) {
  struct growing *growing = calloc(1, sizeof *growing);
  if (!growing) return NULL;
  growing->bytes = calloc(1, 1);
  growing->result = buffer;
  growing->result_size = size;
  FILE *stream = growing->bytes ? __rz_new_stream(&functions, growing, -1, CAN_WRITE) : NULL;
  if (!stream) {
    free(growing->bytes);
    free(growing);
    return NULL;
  }
  publish(growing);
  return stream;
}
