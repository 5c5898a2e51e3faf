/* <wchar.h>: wide strings and streams, with characters that the C locale has. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

static int sign(int n) { return (n > 0) - (n < 0); }

static void strings(void) {
  wchar_t a[40] = L"wide", b[40];
  printf("%ls ", wcscpy(b, a));
  printf("%ls ", wcscat(b, L" string"));
  printf("%ls ", wcsncat(b, L"!!!!", 2));
  printf("%zu\n", wcslen(b));
  wmemset(b, L'#', 39);
  b[39] = 0;
  printf("%ls|", wcsncpy(b, L"pad", 6));
  printf("%d %d\n", b[5] == 0, b[6] == L'#');
  printf("%d %d %d %d\n", sign(wcscmp(L"a", L"b")), sign(wcsncmp(L"abc", L"abd", 2)), sign(wcscoll(L"b", L"a")),
         sign(wmemcmp(L"xy", L"xz", 2)));
  printf("%zu ", wcsxfrm(b, L"abc", 40));
  printf("%ls\n", b);
  const wchar_t *text = L"the quick brown fox";
  printf("%ls|%ls|%ls|%ls\n", wcschr(text, L'q'), wcsrchr(text, L'o'), wcspbrk(text, L"zyx"), wcsstr(text, L"brown"));
  printf("%zu %zu\n", wcsspn(text, L"eht "), wcscspn(text, L"x"));
  wchar_t list[] = L"one,two;three", *state;
  for (wchar_t *t = wcstok(list, L",;", &state); t; t = wcstok(NULL, L",;", &state)) printf("<%ls>", t);
  wmemcpy(b, L"0123456789", 11);
  wmemmove(b + 2, b, 5);
  printf(" %ls %td\n", b, wmemchr(b, L'7', 10) - b);
}

static void numbers(void) {
  wchar_t *end;
  printf("%g ", wcstod(L" 1.5e2x", &end));
  printf("%ls ", end);
  printf("%g %Lg ", wcstof(L"0.25", NULL), wcstold(L"-8.5", NULL));
  printf("%ld %lld ", wcstol(L"-77", NULL, 8), wcstoll(L"zz", NULL, 36));
  errno = 0;
  printf("%lu %llu ", wcstoul(L"0xff", NULL, 0), wcstoull(L"99999999999999999999", NULL, 10));
  printf("%d\n", errno == ERANGE);
}

static void multibyte(void) {
  mbstate_t state;
  memset(&state, 0, sizeof state);
  wchar_t wide[16];
  char narrow[16];
  printf("%d %d %d %d\n", btowc('a') == L'a', btowc(EOF) == WEOF, wctob(L'z'), mbsinit(&state) != 0);
  printf("%zu %zu ", mbrlen("abc", 3, &state), mbrlen("", 1, &state));
  printf("%zu ", mbrtowc(wide, "q", 1, &state));
  printf("%d %zu\n", wide[0] == L'q', wcrtomb(narrow, L'w', &state));
  const char *source = "convert";
  printf("%zu ", mbsrtowcs(wide, &source, 16, &state));
  printf("%ls %d ", wide, source == NULL);
  const wchar_t *wide_source = wide;
  printf("%zu ", wcsrtombs(narrow, &wide_source, 16, &state));
  printf("%s\n", narrow);
}

static int through_vswprintf(wchar_t *to, size_t n, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  const int result = vswprintf(to, n, format, list);
  va_end(list);
  return result;
}

static int through_vfwprintf(FILE *f, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  const int result = vfwprintf(f, format, list);
  va_end(list);
  return result;
}

static int through_vswscanf(const wchar_t *from, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  const int result = vswscanf(from, format, list);
  va_end(list);
  return result;
}

static int through_vfwscanf(FILE *f, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  const int result = vfwscanf(f, format, list);
  va_end(list);
  return result;
}

static void streams(void) {
  wchar_t line[64], word[16];
  int number = 0;
  FILE *f = fopen("wide.txt", "w+");
  printf("%d ", fwide(f, 1) > 0);
  printf("%d ", fputws(L"first\n", f) >= 0);
  printf("%d ", fputwc(L's', f) == L's');
  printf("%d ", putwc(L'e', f) == L'e');
  printf("%d ", fwprintf(f, L"%d %ls\n", 5, L"five"));
  printf("%d\n", through_vfwprintf(f, L"%ls %d", L"six", 6));
  rewind(f);
  printf("%ls", fgetws(line, 64, f));
  printf("%d ", fgetwc(f) == L's');
  printf("%d ", getwc(f) == L'e');
  printf("%d ", ungetwc(L'7', f) == L'7');
  printf("%d ", fwscanf(f, L"%d %15ls", &number, word));
  printf("%d %ls ", number, word);
  printf("%d ", through_vfwscanf(f, L"%15ls", word));
  printf("%ls %d\n", word, fwide(f, 0) > 0);
  fclose(f);
  remove("wide.txt");
  printf("%d ", swprintf(line, 64, L"%5d|%-6ls|%c", 42, L"ab", 'z'));
  printf("%ls ", line);
  printf("%d\n", through_vswprintf(line, 4, L"%ls", L"too long") < 0);
  printf("%d ", swscanf(L"12 twelve", L"%d %15ls", &number, word));
  printf("%d %ls ", number, word);
  printf("%d ", through_vswscanf(L"ff", L"%x", &number));
  printf("%d\n", number);
  struct tm t = {.tm_year = 109, .tm_mon = 1, .tm_mday = 13, .tm_hour = 23, .tm_min = 31, .tm_sec = 30, .tm_wday = 5, .tm_yday = 43};
  printf("%zu ", wcsftime(line, 64, L"%Y-%m-%d %H:%M:%S %a", &t));
  printf("%ls\n", line);
}

int main(void) {
  strings();
  numbers();
  multibyte();
  streams();
  return 0;
}
