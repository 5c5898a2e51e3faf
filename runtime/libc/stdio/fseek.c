/* Moving in a stream, and where it stands. */
#include <errno.h>

#include "file.h"

off_t ftello(FILE *stream) {
  if (!stream->functions->seek) {
    errno = ESPIPE;
    return -1;
  }
  /* What waits to be appended will stand at the end, wherever the file below is now. */
  int appending = stream->mode == WRITING && (stream->flags & APPENDS) && stream->next > stream->buffer;
  off_t position = stream->functions->seek(stream, 0, appending ? SEEK_END : SEEK_CUR);
  if (position < 0) return -1;
  if (stream->mode == READING) position -= stream->end - stream->next;
  if (stream->mode == WRITING) position += stream->next - stream->buffer;
  return position;
}

int fseeko(FILE *stream, off_t offset, int whence) {
  if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) {
    errno = EINVAL;
    return -1;
  }
  if (!stream->functions->seek) {
    errno = ESPIPE;
    return -1;
  }
  if (stream->mode == WRITING && __rz_flush_output(stream)) return -1;
  if (stream->mode == READING && whence == SEEK_CUR) offset -= stream->end - stream->next;
  if (stream->functions->seek(stream, offset, whence) < 0) return -1;
  if (stream->mode == READING) {
    stream->next = stream->end = stream->buffer;
    stream->mode = IDLE;
  }
  stream->flags &= ~AT_END;
  stream->multibyte = (mbstate_t){0};
  return 0;
}

long ftell(FILE *stream) { return ftello(stream); }

int fseek(FILE *stream, long offset, int whence) { return fseeko(stream, offset, whence); }

void rewind(FILE *stream) {
  fseeko(stream, 0, SEEK_SET);
  stream->flags &= ~HAS_FAILED;
}

int fgetpos(FILE *restrict stream, fpos_t *restrict position) {
  off_t offset = ftello(stream);
  if (offset < 0) return -1;
  *position = (fpos_t){.__offset = offset};
  return 0;
}

int fsetpos(FILE *stream, const fpos_t *position) { return fseeko(stream, position->__offset, SEEK_SET); }
