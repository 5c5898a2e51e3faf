/* Whole strings: mbsrtowcs, mbsnrtowcs, mbstowcs. They only count if there is no destination. */
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#include "engine.h"

size_t mbsnrtowcs(wchar_t *restrict wide, const char **restrict text, size_t bytes, size_t n, mbstate_t *restrict state) {
  static mbstate_t own;
  mbstate_t counting;
  if (!state) state = &own;
  if (!wide) { /* counting leaves the state unchanged */
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

/* The length of the string is unknown; mbrtowc reads one byte at a time and stops at its end. */
size_t mbsrtowcs(wchar_t *restrict wide, const char **restrict text, size_t n, mbstate_t *restrict state) {
  static mbstate_t own;
  return mbsnrtowcs(wide, text, SIZE_MAX, n, state ? state : &own);
}

size_t mbstowcs(wchar_t *restrict wide, const char *restrict text, size_t n) {
  mbstate_t state = {0};
  const char *rest = text;
  __rz_range_read(text, wide && n == 0 ? 0 : 1); /* mbrtowc treats null as another request */
  return mbsnrtowcs(wide, &rest, SIZE_MAX, n, &state);
}
