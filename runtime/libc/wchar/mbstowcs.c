/* Whole strings: mbsrtowcs, mbsnrtowcs, mbstowcs. Without a destination they only count. */
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#include "engine.h"

size_t mbsnrtowcs(wchar_t *restrict wide, const char **restrict text, size_t bytes, size_t n, mbstate_t *restrict state) {
  static mbstate_t own;
  mbstate_t counting;
  if (!state) state = &own;
  if (!wide) { /* counting changes nothing */
    counting = *state;
    state = &counting;
    n = SIZE_MAX;
  }
  const char *at = *text;
  size_t count = 0;
  while (count < n && bytes != 0) {
    wchar_t c;
    size_t used = mbrtowc(&c, at, bytes, state);
    if (used == (size_t)-1) {
      if (wide) *text = at;
      return (size_t)-1;
    }
    if (used == (size_t)-2) {
      at += bytes;
      break;
    }
    if (wide) wide[count] = c;
    if (used == 0) {
      if (wide) *text = NULL;
      return count;
    }
    at += used;
    bytes -= used;
    count++;
  }
  if (wide) *text = at;
  return count;
}

/* A string has no stated length; mbrtowc reads one byte at a time and stops at its end. */
size_t mbsrtowcs(wchar_t *restrict wide, const char **restrict text, size_t n, mbstate_t *restrict state) {
  static mbstate_t own;
  return mbsnrtowcs(wide, text, SIZE_MAX, n, state ? state : &own);
}

size_t mbstowcs(wchar_t *restrict wide, const char *restrict text, size_t n) {
  mbstate_t state = {0};
  const char *rest = text;
  __rz_range_read(text, wide && n == 0 ? 0 : 1); /* below, null is a request of another kind */
  return mbsnrtowcs(wide, &rest, SIZE_MAX, n, &state);
}
