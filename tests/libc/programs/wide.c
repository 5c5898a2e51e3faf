/* Wide streams and conversions. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#define CHECK(expression) printf("%-40.40s = %ld\n", #expression, (long)(expression))

static void strings(void) {
  wchar_t out[64];
  CHECK(swprintf(out, 64, L"%d|%5s|%-6ls|%lc|%c|%.2ls|%8.3f", 42, "\xc3\xa4", L"\u00f6\u20ac", (wint_t)0x20ac, 'x', L"abc", 3.14159));
  for (wchar_t *at = out; *at; at++) printf("%x ", (unsigned)*at);
  putchar('\n');
  CHECK(swprintf(out, 5, L"%s", "too long") < 0);
  CHECK(swprintf(out, 5, L"%s", "four"));
  int n;
  wchar_t word[16];
  char bytes[16];
  wchar_t c;
  CHECK(swscanf(L"12 w\u00f6rd \u20acuro z", L"%d %ls %s %lc", &n, word, bytes, &c));
  printf("%d %ls %s %x\n", n, word, bytes, (unsigned)c);
  CHECK(swscanf(L"\u00e4\u00f6x", L"%l[\u00e4\u00f6]%n", word, &n));
  printf("%ls %d\n", word, n);
  wchar_t *end;
  CHECK(wcstod(L"  1.5e3x", &end) * 10);
  CHECK(*end);
  CHECK(wcstof(L"-0x1p4", &end));
  CHECK(wcstold(L"zzz", &end));
}

static void streams(void) {
  FILE *f = fopen("wide", "w");
  CHECK(fwide(f, 0));
  CHECK(fputwc(L'\u00e9', f));
  CHECK(fwide(f, 0) > 0);
  CHECK(fputws(L" \u4e2d\u6587\n", f) >= 0);
  CHECK(fwprintf(f, L"%ls %d\n", L"\U0001F600", 7));
  fclose(f);
  f = fopen("wide", "r");
  wchar_t line[16];
  wint_t c = fgetwc(f);
  CHECK(c);
  CHECK(ungetwc(c, f));
  CHECK(fgetws(line, 16, f) == line);
  printf("%ls", line);
  int n;
  CHECK(fwscanf(f, L"%ls %d", line, &n));
  CHECK(line[0]);
  CHECK(n);
  CHECK(fgetwc(f));
  CHECK(fgetwc(f) == WEOF);
  CHECK(feof(f) != 0);
  fclose(f);
  wchar_t *text;
  size_t length;
  f = open_wmemstream(&text, &length);
  fwprintf(f, L"%ls", L"grown \u20ac");
  fclose(f);
  printf("%zu %ls\n", length, text);
  free(text);
  f = fopen("wide", "w");
  fputs("ab\xff", f);
  fclose(f);
  f = fopen("wide", "r");
  CHECK(fgetwc(f));
  CHECK(fgetwc(f));
  CHECK(fgetwc(f) == WEOF);
  CHECK(ferror(f) != 0);
  fclose(f);
}

int main(void) {
  setlocale(LC_ALL, "C.UTF-8");
  strings();
  streams();
  return 0;
}
