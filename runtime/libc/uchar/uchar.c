/*
 * <uchar.h>. char32_t is a wide character. char16_t is UTF-16: a code point above 0xffff is a pair
 * of surrogates,
 *
 *   0xd800 + ((c - 0x10000) >> 10),   0xdc00 + (c & 0x3ff)
 *
 * of which the state keeps one: on the way out the second, which the next call delivers as "no
 * bytes read" ((size_t)-3); on the way in the first, until its partner arrives.
 */
#include <uchar.h>

#include <errno.h>
#include <wchar.h>

size_t mbrtoc32(char32_t *restrict unit, const char *restrict text, size_t n, mbstate_t *restrict state) {
  static mbstate_t own;
  wchar_t wide;
  size_t used = mbrtowc(&wide, text, n, state ? state : &own);
  if (unit && text && used <= n) *unit = (char32_t)wide;
  return used;
}

size_t c32rtomb(char *restrict text, char32_t unit, mbstate_t *restrict state) { return wcrtomb(text, (wchar_t)unit, state); }

size_t mbrtoc16(char16_t *restrict unit, const char *restrict text, size_t n, mbstate_t *restrict state) {
  static mbstate_t own;
  if (!state) state = &own;
  if (!text) return mbrtoc16(NULL, "", 1, state);
  if (state->__surrogate != 0) {
    if (unit) *unit = state->__surrogate;
    state->__surrogate = 0;
    return (size_t)-3;
  }
  wchar_t wide;
  size_t used = mbrtowc(&wide, text, n, state);
  if (used > n) return used;
  if (wide > 0xffff) {
    state->__surrogate = (unsigned short)(0xdc00 + (wide & 0x3ff));
    wide = 0xd800 + ((wide - 0x10000) >> 10);
  }
  if (unit) *unit = (char16_t)wide;
  return used;
}

size_t c16rtomb(char *restrict text, char16_t unit, mbstate_t *restrict state) {
  static mbstate_t own;
  if (!state) state = &own;
  if (!text) {
    state->__surrogate = 0;
    return 1;
  }
  if (state->__surrogate == 0 && unit >= 0xd800 && unit < 0xdc00) {
    state->__surrogate = unit;
    return 0;
  }
  wchar_t wide = unit;
  if (state->__surrogate != 0) {
    unsigned first = state->__surrogate;
    state->__surrogate = 0;
    if (unit < 0xdc00 || unit > 0xdfff) {
      errno = EILSEQ;
      return (size_t)-1;
    }
    wide = (wchar_t)(0x10000 + ((first - 0xd800) << 10) + (unit - 0xdc00));
  }
  return wcrtomb(text, wide, NULL);
}
