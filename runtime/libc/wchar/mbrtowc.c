/* Multibyte characters of the locale, UTF-8 or ASCII, to wide characters: mbrtowc and mbrlen. */
#include <errno.h>
#include <wchar.h>

#include "locale-state.h"
#include "wide.h"

size_t mbrtowc(wchar_t *restrict wide, const char *restrict text, size_t n, mbstate_t *restrict state) {
  static mbstate_t own;
  if (!state) state = &own;
  if (!text && state->__missing == 0) return 0;
  if (text && (n == 0 || (unsigned char)*text < 0x80 || __rz_is_utf8())) return __rz_utf8_decode(wide, text, n, state);
  *state = (mbstate_t){0};
  errno = EILSEQ;
  return (size_t)-1;
}

size_t mbrlen(const char *restrict text, size_t n, mbstate_t *restrict state) {
  static mbstate_t own;
  return mbrtowc(NULL, text, n, state ? state : &own);
}

int mbsinit(const mbstate_t *state) { return !state || (state->__missing == 0 && state->__surrogate == 0); }
