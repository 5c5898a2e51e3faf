/*
 * The classes of <wctype.h>: those of <ctype.h> for ASCII, and in a locale of UTF-8 tables for
 * other characters. As on other systems, only the ASCII digits are digits. A no-break space is not
 * a space, so that text is not broken there.
 */
#include <wctype.h>

#include <ctype.h>
#include <stddef.h>

#include "locale-state.h"
#include "unicode-tables.h"

#define IN(table, c) is_in(table, sizeof table / sizeof *table, c)
#define MAPPED(table, c) (__rz_is_utf8() ? mapped(table, sizeof table / sizeof *table, c) : (c))

static int is_in(const CodeRange *ranges, size_t count, wint_t c) {
  size_t first = 0;
  while (count != 0) { /* the last range that starts at or before c is among `count` from `first` on */
    size_t half = count / 2;
    const CodeRange *middle = &ranges[first + half];
    if (c < middle->first) {
      count = half;
    } else if (c > middle->last) {
      first += half + 1;
      count -= half + 1;
    } else {
      return (c - middle->first) % middle->stride == 0;
    }
  }
  return 0;
}

static wint_t mapped(const CaseRange *ranges, size_t count, wint_t c) {
  size_t first = 0;
  while (count != 0) {
    size_t half = count / 2;
    const CaseRange *middle = &ranges[first + half];
    if (c < middle->first) {
      count = half;
    } else if (c > middle->last) {
      first += half + 1;
      count -= half + 1;
    } else {
      return (c - middle->first) % middle->stride == 0 ? (wint_t)((int)c + middle->delta) : c;
    }
  }
  return c;
}

int iswdigit(wint_t c) { return c - '0' < 10; }

int iswxdigit(wint_t c) { return c < 128 && isxdigit((int)c); }

int iswalpha(wint_t c) { return c < 128 ? isalpha((int)c) : __rz_is_utf8() && IN(alphabetic, c); }

int iswalnum(wint_t c) { return c < 128 ? isalnum((int)c) : __rz_is_utf8() && IN(alphabetic, c); }

int iswupper(wint_t c) { return c < 128 ? isupper((int)c) : __rz_is_utf8() && IN(upper_case, c); }

int iswlower(wint_t c) { return c < 128 ? islower((int)c) : __rz_is_utf8() && IN(lower_case, c); }

int iswcntrl(wint_t c) {
  if (c < 128) return iscntrl((int)c);
  return __rz_is_utf8() && (c < 160 || c == 0x2028 || c == 0x2029);
}

int iswspace(wint_t c) {
  if (c < 128) return isspace((int)c);
  if (!__rz_is_utf8()) return 0;
  return c == 0x1680 || (c >= 0x2000 && c <= 0x2006) || (c >= 0x2008 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
         c == 0x205f || c == 0x3000;
}

int iswblank(wint_t c) { return c < 128 ? isblank((int)c) : iswspace(c) && !iswcntrl(c); }

int iswprint(wint_t c) { return c < 128 ? isprint((int)c) : __rz_is_utf8() && IN(printable, c); }

int iswgraph(wint_t c) { return iswprint(c) && !iswspace(c); }

int iswpunct(wint_t c) { return iswgraph(c) && !iswalnum(c); }

wint_t towupper(wint_t c) {
  return c < 128 ? (wint_t)toupper((int)c) : MAPPED(to_upper, c);
}

wint_t towlower(wint_t c) {
  return c < 128 ? (wint_t)tolower((int)c) : MAPPED(to_lower, c);
}

/*
 * How many columns a printable character takes: 0 for combining marks, 2 for East Asian scripts and
 * for pictographs.
 */
int __rz_columns(wint_t c) {
  static const CodeRange wide[] = {
      {0x1100, 1, 0x115f},   {0x231a, 1, 0x231b},   {0x2329, 1, 0x232a},   {0x23e9, 1, 0x23ec},
      {0x25fd, 1, 0x25fe},   {0x2614, 1, 0x2615},   {0x2648, 1, 0x2653},   {0x26aa, 1, 0x26ab},
      {0x2e80, 1, 0x303e},   {0x3041, 1, 0x33ff},   {0x3400, 1, 0x4dbf},   {0x4e00, 1, 0xa4cf},
      {0xa960, 1, 0xa97f},   {0xac00, 1, 0xd7a3},   {0xf900, 1, 0xfaff},   {0xfe10, 1, 0xfe19},
      {0xfe30, 1, 0xfe6f},   {0xff01, 1, 0xff60},   {0xffe0, 1, 0xffe6},   {0x16fe0, 1, 0x18cff},
      {0x1b000, 1, 0x1b2ff}, {0x1f300, 1, 0x1f64f}, {0x1f680, 1, 0x1f6ff}, {0x1f900, 1, 0x1f9ff},
      {0x20000, 1, 0x2fffd}, {0x30000, 1, 0x3fffd},
  };
  if (c < 128) return 1;
  if (IN(zero_width, c) || (c >= 0x1160 && c <= 0x11ff)) return 0;
  return IN(wide, c) ? 2 : 1;
}
