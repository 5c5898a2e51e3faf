/* The end-of-file and error indicators of a stream. */
#include "file.h"

int feof(FILE *stream) { return (stream->flags & AT_END) != 0; }
int ferror(FILE *stream) { return (stream->flags & HAS_FAILED) != 0; }
void clearerr(FILE *stream) { stream->flags &= ~(AT_END | HAS_FAILED); }
int feof_unlocked(FILE *stream) { return feof(stream); }
int ferror_unlocked(FILE *stream) { return ferror(stream); }
void clearerr_unlocked(FILE *stream) { clearerr(stream); }
