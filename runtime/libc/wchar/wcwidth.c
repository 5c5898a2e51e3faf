/* wcwidth, wcswidth: columns on a terminal, or -1 for what is not printable */
#include <wchar.h>
#include <wctype.h>

int __rz_columns(wint_t c);

int wcwidth(wchar_t c) {
  if (c == 0) return 0;
  return iswprint((wint_t)c) ? __rz_columns((wint_t)c) : -1;
}

int wcswidth(const wchar_t *text, size_t n) {
  int total = 0;
  for (; n != 0 && *text != 0; n--, text++) {
    int width = wcwidth(*text);
    if (width < 0) return -1;
    total += width;
  }
  return total;
}
