/* Whole strings: wcsrtombs, wcsnrtombs, wcstombs. A character is stored whole or not at all. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

size_t wcsnrtombs(char *restrict text, const wchar_t **restrict wide, size_t wides, size_t n, mbstate_t *restrict state) {
  const wchar_t *at = *wide;
  size_t count = 0;
  for (; wides != 0; wides--, at++) {
    char bytes[4];
    size_t size = wcrtomb(bytes, *at, state);
    if (size == (size_t)-1) {
      if (text) *wide = at;
      return (size_t)-1;
    }
    if (text) {
      if (size > n - count) break;
      memcpy(text + count, bytes, size);
    }
    if (*at == 0) {
      if (text) *wide = NULL;
      return count;
    }
    count += size;
  }
  if (text) *wide = at;
  return count;
}

size_t wcsrtombs(char *restrict text, const wchar_t **restrict wide, size_t n, mbstate_t *restrict state) {
  return wcsnrtombs(text, wide, SIZE_MAX, n, state);
}

size_t wcstombs(char *restrict text, const wchar_t *restrict wide, size_t n) {
  mbstate_t state = {0};
  const wchar_t *rest = wide;
  return wcsnrtombs(text, &rest, SIZE_MAX, n, &state);
}
