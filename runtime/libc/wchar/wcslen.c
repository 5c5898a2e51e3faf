/* wcslen, wcsnlen */
#include <wchar.h>

size_t wcslen(const wchar_t *text) {
  size_t length = 0;
  while (text[length] != 0) length++;
  return length;
}

size_t wcsnlen(const wchar_t *text, size_t n) {
  size_t length = 0;
  while (length < n && text[length] != 0) length++;
  return length;
}
