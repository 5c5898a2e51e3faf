/* A stream over functions of the program. */
#include <errno.h>
#include <stdlib.h>

#include "file.h"

struct cookie {
  void *cookie;
  cookie_io_functions_t functions;
};

static ssize_t read_cookie(FILE *stream, void *to, size_t n) {
  struct cookie *cookie = stream->cookie;
  return cookie->functions.read ? cookie->functions.read(cookie->cookie, to, n) : 0;
}

static ssize_t write_cookie(FILE *stream, const void *from, size_t n) {
  struct cookie *cookie = stream->cookie;
  return cookie->functions.write ? cookie->functions.write(cookie->cookie, from, n) : (ssize_t)n;
}

static off_t seek_cookie(FILE *stream, off_t offset, int whence) {
  struct cookie *cookie = stream->cookie;
  if (!cookie->functions.seek) {
    errno = ESPIPE;
    return -1;
  }
  return cookie->functions.seek(cookie->cookie, &offset, whence) < 0 ? -1 : offset;
}

static int close_cookie(FILE *stream) {
  struct cookie *cookie = stream->cookie;
  int result = cookie->functions.close ? cookie->functions.close(cookie->cookie) : 0;
  free(cookie);
  return result;
}

static const struct __rz_stream_functions functions = {read_cookie, write_cookie, seek_cookie, close_cookie};

FILE *fopencookie(void *restrict cookie, const char *restrict mode, cookie_io_functions_t user_functions) {
  int stream_flags;
  if (__rz_parse_mode(mode, &stream_flags) < 0) return NULL;
  struct cookie *state = malloc(sizeof *state);
  if (!state) return NULL;
  state->cookie = cookie;
  state->functions = user_functions;
  FILE *stream = __rz_new_stream(&functions, state, -1, stream_flags);
  if (!stream) free(state);
  return stream;
}
