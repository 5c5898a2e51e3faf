/* The wide functions on the standard streams, which are wide from the first of them on. */
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

static int through_vwprintf(const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  const int result = vwprintf(format, list);
  va_end(list);
  return result;
}

static int through_vwscanf(const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  const int result = vwscanf(format, list);
  va_end(list);
  return result;
}

int main(void) {
  int number = 0, other = 0;
  wprintf(L"%d\n", fwide(stdout, 0) > 0);
  wprintf(L"%d\n", through_vwprintf(L"%ls %d\n", L"wide", 7));
  putwchar(L'p');
  putwchar(L'\n');
  wprintf(L"%d ", wscanf(L"%d", &number));
  wprintf(L"%d ", through_vwscanf(L"%d", &other));
  wprintf(L"%d %d ", number, other);
  wprintf(L"%d ", (int)getwchar());
  wprintf(L"%lc\n", getwchar());
  return 0;
}
