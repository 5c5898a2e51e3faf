/* The list of open streams, for fflush(NULL) and for the end of the program. */
#include <stddef.h>

#include "file.h"
#include "exit.h"

static FILE *first;

static void flush_all(void) {
  for (FILE *stream = first; stream; stream = stream->following) {
    if (stream->mode == WRITING) __rz_flush_output(stream);
    if (stream->mode == READING) __rz_drop_input(stream);
  }
}

FILE *__rz_first_stream(void) { return first; }

void __rz_list_stream(FILE *stream) {
  if (stream->preceding || first == stream) return;
  __rz_flush_streams = flush_all;
  stream->following = first;
  if (first) first->preceding = stream;
  first = stream;
}

void __rz_unlist_stream(FILE *stream) {
  if (first == stream) {
    first = stream->following;
  } else if (!stream->preceding) {
    return; /* it never was in the list */
  } else {
    stream->preceding->following = stream->following;
  }
  if (stream->following) stream->following->preceding = stream->preceding;
  stream->following = stream->preceding = NULL;
}
