/*
 * mblen, mbtowc, wctomb: the functions without a state. UTF-8 has no shift states, so they return 0
 * for a null pointer.
 */
#include <stdlib.h>
#include <wchar.h>

int mbtowc(wchar_t *restrict wide, const char *restrict text, size_t n) {
  if (!text) return 0;
  mbstate_t state = {0};
  size_t used = mbrtowc(wide, text, n, &state);
  return used > n ? -1 : (int)used;
}

int mblen(const char *text, size_t n) { return mbtowc(NULL, text, n); }

int wctomb(char *text, wchar_t wide) { return text ? (int)wcrtomb(text, wide, NULL) : 0; }
