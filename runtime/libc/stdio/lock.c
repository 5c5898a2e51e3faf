/*
 * There is one thread, so a lock is always free; it is counted so that unlocking too often is seen.
 */
#include "engine.h"
#include "file.h"

void flockfile(FILE *stream) { stream->lock_depth++; }

int ftrylockfile(FILE *stream) {
  stream->lock_depth++;
  return 0;
}

void funlockfile(FILE *stream) {
  if (stream->lock_depth == 0) __rz_abort("abort", "funlockfile of a stream that is not locked");
  stream->lock_depth--;
}
