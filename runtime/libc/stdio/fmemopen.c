/*
 * A stream over memory of the caller.
 *
 *     memory                size               capacity
 *     ├──── contents ────────┼──── room ─────────┤        a zero follows the contents where there is room
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "file.h"

struct memory {
  char *bytes;
  size_t size;
  size_t capacity;
  size_t position;
  int appends;
  int is_own; /* no memory was given: it came from malloc */
};

static ssize_t read_memory(FILE *stream, void *to, size_t n) {
  struct memory *memory = stream->cookie;
  size_t left = memory->position < memory->size ? memory->size - memory->position : 0;
  if (n > left) n = left;
  memcpy(to, memory->bytes + memory->position, n);
  memory->position += n;
  return (ssize_t)n;
}

static ssize_t write_memory(FILE *stream, const void *from, size_t n) {
  struct memory *memory = stream->cookie;
  if (memory->appends) memory->position = memory->size;
  size_t room = memory->position < memory->capacity ? memory->capacity - memory->position : 0;
  if (room == 0) {
    errno = ENOSPC;
    return -1;
  }
  if (n > room) n = room;
  memcpy(memory->bytes + memory->position, from, n);
  memory->position += n;
  if (memory->position > memory->size) memory->size = memory->position;
  if (memory->size < memory->capacity) memory->bytes[memory->size] = 0;
  return (ssize_t)n;
}

static off_t seek_memory(FILE *stream, off_t offset, int whence) {
  struct memory *memory = stream->cookie;
  size_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memory->position : memory->size;
  off_t position = (off_t)base + offset;
  if (position < 0 || position > (off_t)memory->capacity) {
    errno = EINVAL;
    return -1;
  }
  memory->position = (size_t)position;
  return position;
}

static int close_memory(FILE *stream) {
  struct memory *memory = stream->cookie;
  if (memory->is_own) free(memory->bytes);
  free(memory);
  return 0;
}

static const struct __rz_stream_functions functions = {read_memory, write_memory, seek_memory, close_memory};

FILE *fmemopen(void *restrict buffer, size_t size, const char *restrict mode) {
  int stream_flags;
  if (__rz_parse_mode(mode, &stream_flags) < 0) return NULL;
  if (buffer) __rz_range_read(buffer, size);
  struct memory *memory = calloc(1, sizeof *memory);
  if (!memory) return NULL;
  memory->is_own = buffer == NULL;
  memory->bytes = buffer ? buffer : calloc(1, size ? size : 1);
  memory->capacity = size;
  memory->appends = (stream_flags & APPENDS) != 0;
  if (*mode == 'r') memory->size = size;
  if (*mode == 'a') memory->position = memory->size = buffer ? strnlen(buffer, size) : 0;
  if (*mode == 'w' && buffer && size > 0) memory->bytes[0] = 0;
  FILE *stream = memory->bytes ? __rz_new_stream(&functions, memory, -1, stream_flags) : NULL;
  if (!stream) {
    if (memory->is_own) free(memory->bytes);
    free(memory);
  }
  return stream;
}
