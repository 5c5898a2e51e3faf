#include <wchar.h>

#include "file.h"
#include "wide.h"

int fwide(FILE *stream, int mode) {
  if (mode != 0 && stream->orientation == 0) stream->orientation = mode > 0 ? 1 : -1;
  return stream->orientation;
}

void __rz_orient(FILE *stream, int direction) {
  if (stream->orientation == 0) stream->orientation = direction;
}
