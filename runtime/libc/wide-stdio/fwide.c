#include <wchar.h>

#include "file.h"
#include "locale-state.h"
#include "wide.h"

int fwide(FILE *stream, int mode) {
  if (mode != 0) __rz_orient(stream, mode > 0 ? 1 : -1);
  return stream->orientation;
}

void __rz_orient(FILE *stream, int direction) {
  if (stream->orientation != 0) return;
  stream->orientation = direction;
  stream->is_utf8 = __rz_is_utf8();
}
