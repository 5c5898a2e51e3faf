/*
 * wcrtomb: one code point to UTF-8.
 *
 *     0 ..     7f   0xxxxxxx
 *    80 ..    7ff   110xxxxx 10xxxxxx
 *   800 ..   ffff   1110xxxx 10xxxxxx 10xxxxxx               d800 .. dfff are not characters
 * 10000 .. 10ffff   11110xxx 10xxxxxx 10xxxxxx 10xxxxxx
 */
#include <errno.h>
#include <wchar.h>

size_t wcrtomb(char *restrict text, wchar_t wide, mbstate_t *restrict state) {
  (void)state; /* every character starts anew */
  if (!text) return 1;
  unsigned code = (unsigned)wide;
  if (code < 0x80) {
    text[0] = (char)code;
    return 1;
  }
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    errno = EILSEQ;
    return (size_t)-1;
  }
  size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = length - 1; i > 0; i--) {
    text[i] = (char)(0x80 | (code & 0x3f));
    code >>= 6;
  }
  text[0] = (char)((0xf0 << (4 - length)) | code);
  return length;
}
