/* wmemchr, wmemcmp, wmemcpy, wmemmove, wmempcpy, wmemset */
#include <string.h>
#include <wchar.h>

#include "engine.h"

wchar_t *wmemchr(const wchar_t *memory, wchar_t c, size_t n) {
  for (; n != 0; n--, memory++)
    if (*memory == c) return (wchar_t *)memory;
  return NULL;
}

/* Both ranges are checked whole, as in memcmp. */
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
  __rz_range_read(a, n * sizeof *a);
  __rz_range_read(b, n * sizeof *b);
  for (; n != 0; n--, a++, b++)
    if (*a != *b) return *a < *b ? -1 : 1;
  return 0;
}

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) { return memcpy(to, from, n * sizeof *to); }

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) { return memmove(to, from, n * sizeof *to); }

wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) { return wmemcpy(to, from, n) + n; }

wchar_t *wmemset(wchar_t *memory, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++) memory[i] = c;
  return memory;
}
