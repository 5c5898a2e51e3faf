/* Searching wide strings: wcschr, wcschrnul, wcsrchr, wcsspn, wcscspn, wcspbrk, wcsstr, wcstok */
#include <wchar.h>

wchar_t *wcschrnul(const wchar_t *text, wchar_t c) {
  while (*text != c && *text != 0) text++;
  return (wchar_t *)text;
}

wchar_t *wcschr(const wchar_t *text, wchar_t c) {
  wchar_t *found = wcschrnul(text, c);
  return *found == c ? found : NULL;
}

wchar_t *wcsrchr(const wchar_t *text, wchar_t c) {
  const wchar_t *found = NULL;
  for (;; text++) {
    if (*text == c) found = text;
    if (*text == 0) return (wchar_t *)found;
  }
}

size_t wcsspn(const wchar_t *text, const wchar_t *accept) {
  size_t length = 0;
  while (text[length] != 0 && wcschr(accept, text[length])) length++;
  return length;
}

size_t wcscspn(const wchar_t *text, const wchar_t *reject) {
  size_t length = 0;
  while (text[length] != 0 && !wcschr(reject, text[length])) length++;
  return length;
}

wchar_t *wcspbrk(const wchar_t *text, const wchar_t *accept) {
  const wchar_t *found = text + wcscspn(text, accept);
  return *found ? (wchar_t *)found : NULL;
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *part) {
  size_t length = wcslen(part);
  for (;; text++) {
    if (wcsncmp(text, part, length) == 0) return (wchar_t *)text;
    if (*text == 0) return NULL;
  }
}

wchar_t *wcswcs(const wchar_t *text, const wchar_t *part) { return wcsstr(text, part); }

wchar_t *wcstok(wchar_t *restrict text, const wchar_t *restrict delimiters, wchar_t **restrict state) {
  if (!text) text = *state;
  if (!text) return NULL;
  text += wcsspn(text, delimiters);
  if (*text == 0) {
    *state = NULL;
    return NULL;
  }
  wchar_t *end = text + wcscspn(text, delimiters);
  *state = *end ? end + 1 : NULL;
  *end = 0;
  return text;
}
