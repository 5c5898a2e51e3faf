/* Wide input: reads bytes until a character is complete. */
#include <errno.h>
#include <limits.h>
#include <wchar.h>

#include "file.h"
#include "wide.h"

wint_t fgetwc(FILE *stream) {
  __rz_orient(stream, 1);
  for (;;) {
    int c = __rz_getc(stream);
    if (c == EOF) {
      if (!mbsinit(&stream->multibyte)) { /* the file ends inside a character */
        errno = EILSEQ;
        stream->flags |= HAS_FAILED;
      }
      return WEOF;
    }
    char byte = (char)c;
    wchar_t wide;
    size_t n = (size_t)-1;
    if (c < 0x80 || stream->is_utf8) n = __rz_utf8_decode(&wide, &byte, 1, &stream->multibyte);
    else errno = EILSEQ;
    if (n == (size_t)-1) {
      stream->flags |= HAS_FAILED;
      stream->multibyte = (mbstate_t){0};
      return WEOF;
    }
    if (n != (size_t)-2) return (wint_t)wide;
  }
}

wint_t getwc(FILE *stream) { return fgetwc(stream); }

wint_t getwchar(void) { return fgetwc(stdin); }

wint_t ungetwc(wint_t c, FILE *stream) {
  char bytes[MB_LEN_MAX];
  __rz_orient(stream, 1);
  if (c == WEOF || (c >= 0x80 && !stream->is_utf8)) return WEOF;
  size_t n = __rz_utf8_encode(bytes, (wchar_t)c);
  if (n == (size_t)-1) return WEOF;
  while (n > 0) {
    if (ungetc((unsigned char)bytes[--n], stream) == EOF) return WEOF;
  }
  return c;
}

wchar_t *fgetws(wchar_t *restrict line, int size, FILE *restrict stream) {
  wchar_t *at = line;
  wint_t c = WEOF;
  if (size <= 0) return NULL;
  while (--size > 0 && (c = fgetwc(stream)) != WEOF) {
    *at++ = (wchar_t)c;
    if (c == L'\n') break;
  }
  if ((at == line && size > 0) || (stream->flags & HAS_FAILED)) return NULL;
  *at = 0;
  return line;
}
