/* A wide character to UTF-8: wcrtomb, which needs no state. */
#include <errno.h>
#include <wchar.h>

size_t wcrtomb(char *restrict text, wchar_t wide, mbstate_t *restrict state) {
  (void)state;
  if (!text) return 1;
  unsigned c = (unsigned)wide;
  if (c < 0x80) {
    text[0] = (char)c;
    return 1;
  }
  if (c < 0x800) {
    text[0] = (char)(0xc0 | c >> 6);
    text[1] = (char)(0x80 | (c & 0x3f));
    return 2;
  }
  if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
    errno = EILSEQ;
    return (size_t)-1;
  }
  if (c < 0x10000) {
    text[0] = (char)(0xe0 | c >> 12);
    text[1] = (char)(0x80 | (c >> 6 & 0x3f));
    text[2] = (char)(0x80 | (c & 0x3f));
    return 3;
  }
  text[0] = (char)(0xf0 | c >> 18);
  text[1] = (char)(0x80 | (c >> 12 & 0x3f));
  text[2] = (char)(0x80 | (c >> 6 & 0x3f));
  text[3] = (char)(0x80 | (c & 0x3f));
  return 4;
}
