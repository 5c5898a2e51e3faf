/*
 * Copies of wide strings: wcscpy, wcsncpy, wcpcpy, wcpncpy, wcscat, wcsncat, wcslcpy, wcslcat,
 * wcsdup.
 */
#include <stdlib.h>
#include <wchar.h>

wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from) {
  size_t length = wcslen(from);
  wmemcpy(to, from, length + 1);
  return to + length;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
  wcpcpy(to, from);
  return to;
}

wchar_t *wcpncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  size_t length = wcsnlen(from, n);
  wmemcpy(to, from, length);
  wmemset(to + length, 0, n - length);
  return to + length;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  wcpncpy(to, from, n);
  return to;
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
  wcscpy(to + wcslen(to), from);
  return to;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  wchar_t *end = to + wcslen(to);
  size_t length = wcsnlen(from, n);
  wmemcpy(end, from, length);
  end[length] = 0;
  return to;
}

size_t wcslcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t size) {
  size_t length = wcslen(from);
  if (size != 0) {
    size_t copied = length < size ? length : size - 1;
    wmemcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

size_t wcslcat(wchar_t *restrict to, const wchar_t *restrict from, size_t size) {
  size_t used = wcsnlen(to, size);
  return used + wcslcpy(to + used, from, size - used);
}

wchar_t *wcsdup(const wchar_t *text) {
  size_t size = wcslen(text) + 1;
  wchar_t *copy = malloc(size * sizeof *copy);
  return copy ? wmemcpy(copy, text, size) : NULL;
}
