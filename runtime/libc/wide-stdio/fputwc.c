/* Wide output. A stream of the locale "C" has question marks for characters beyond ASCII. */
#include <limits.h>
#include <wchar.h>

#include "file.h"
#include "wide.h"

wint_t fputwc(wchar_t c, FILE *stream) {
  char bytes[MB_LEN_MAX];
  __rz_orient(stream, 1);
  const wchar_t shown = stream->is_utf8 || (unsigned)c < 0x80 ? c : L'?';
  size_t n = __rz_utf8_encode(bytes, shown);
  if (n == (size_t)-1 || __rz_write_bytes(stream, bytes, n) < n) {
    __rz_fail(stream);
    return WEOF;
  }
  return (wint_t)c;
}

wint_t putwc(wchar_t c, FILE *stream) { return fputwc(c, stream); }

wint_t putwchar(wchar_t c) { return fputwc(c, stdout); }

int fputws(const wchar_t *restrict text, FILE *restrict stream) {
  for (; *text; text++) {
    if (fputwc(*text, stream) == WEOF) return -1;
  }
  return 0;
}
