/* Multibyte characters of the locale: one byte each in "C", UTF-8 in "C.UTF-8" */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#define SHOW(expression) (errno = 0, result = (long)(expression), printf("%ld/%d ", result, errno))

static long result;

static void characters(void) {
  wchar_t wide = 0x7777, text[8];
  char bytes[16];
  mbstate_t state = {0};
  printf("\n%d %s\n", MB_CUR_MAX > 1, nl_langinfo(CODESET));
  SHOW(mbrtowc(&wide, "\xc3\xa9", 2, &state)), SHOW(wide), SHOW(mbrtowc(&wide, "\xc3\xa9", 0, &state));
  SHOW(mbrtowc(&wide, "a", 1, &state)), SHOW(wide), SHOW(mbrtowc(&wide, "", 1, &state)), SHOW(mbrlen("\xe4\xb8", 2, &state));
  SHOW(mbsinit(&state) != 0), SHOW(mblen("\xc3\xa9", 2)), SHOW(mbtowc(text, "\xff", 1)), SHOW(btowc(0xe9)), SHOW(wctob(0xe9));
  SHOW(wcrtomb(bytes, 0xe9, NULL)), SHOW(wcrtomb(bytes, 0x7f, NULL)), SHOW(wctomb(bytes, 0x4e00));
  SHOW(mbstowcs(text, "a\xc3\xa9", 8)), SHOW(wcstombs(bytes, L"ab\xe9", 16));
  mbstate_t other = {0};
  char16_t unit;
  SHOW(mbrtoc16(&unit, "\xc3\xa9", 2, &other)), other = (mbstate_t){0}, SHOW(c32rtomb(bytes, 0xe9, &other));
  puts("");
  SHOW(!!iswalpha(0xe9)), SHOW(!!iswprint(0x20ac)), SHOW(!!iswspace(0x2003)), SHOW(!!iswcntrl(0x85)), SHOW(!!iswupper('A'));
  SHOW(towlower(0xc9)), SHOW(towupper(0xe9)), SHOW(wcwidth(0x4e00)), SHOW(wcwidth('x')), SHOW(!!iswctype(0xe9, wctype("alpha")));
  puts("");
}

static void formats(void) {
  char bytes[32];
  wchar_t text[32] = L"", word[32] = L"";
  SHOW(snprintf(bytes, 32, "[%ls]", L"a\xe9z")), SHOW(snprintf(bytes, 32, "[%lc]", (wint_t)0xe9)), SHOW(snprintf(bytes, 32, "%.1ls", L"a\xe9"));
  SHOW(snprintf(bytes, 32, "%.3s", "\xc3\xa9\xc3\xa9"));
  SHOW(swprintf(text, 32, L"[\xe9%ls]", L"a\x4e00")), SHOW(text[1]), SHOW(text[3]);
  SHOW(swprintf(text, 32, L"%s", "a\xc3\xa9")), SHOW(swprintf(text, 32, L"%4s|", "ab")), SHOW(swprintf(text, 32, L"%lc", (wint_t)0x4e00));
  SHOW(swscanf(L"a\xe9z", L"%ls", word)), SHOW(word[1]), SHOW(swscanf(L"a\xe9z b", L"%s", bytes)), SHOW(sscanf("a\xc3\xa9z", "%ls", word));
  SHOW(swscanf(L"\xe9 7", L"\xe9 %ls", word)), SHOW(word[0]);
  struct tm day = {.tm_year = 100, .tm_mday = 1};
  SHOW(wcsftime(text, 32, L"%Y\x4e00", &day)), SHOW(text[4]), SHOW(wcsftime(text, 5, L"%Y\x4e00", &day));
  puts("");
}

static FILE *file_of(const char *text) {
  FILE *file = tmpfile();
  write(fileno(file), text, strlen(text));
  lseek(fileno(file), 0, SEEK_SET);
  return file;
}

static void streams(void) {
  char bytes[64];
  FILE *file = tmpfile();
  SHOW(fputwc(0x4e00, file)), SHOW(fputws(L"x\x4e00y", file) >= 0), SHOW(fwprintf(file, L"<\x4e00%ls%s>", L"\x4e01", "a")), SHOW(ferror(file));
  rewind(file);
  while (SHOW(fgetwc(file)), result != (long)WEOF) {}
  fclose(file);
  file = file_of("a\xc3\xa9z");
  SHOW(fgetwc(file)), SHOW(fgetwc(file)), SHOW(ferror(file) != 0);
  fclose(file);
  file = file_of("a\xc3\xa9z");
  wchar_t line[9];
  SHOW(fgetws(line, 9, file) != NULL), SHOW(ferror(file) != 0);
  fclose(file);
  wchar_t *grown;
  size_t length;
  file = open_wmemstream(&grown, &length);
  SHOW(fputwc(0xe9, file)), SHOW(fwprintf(file, L"\x20ac%ls", L"\xe4")), SHOW(fclose(file));
  SHOW(length), SHOW(grown[0]), SHOW(grown[2]);
  free(grown);
  snprintf(bytes, 64, "%s", "\xc3\xa9");
  SHOW(strlen(bytes));
  puts("");
}

static void all(void) { characters(), formats(), streams(); }

int main(void) {
  all();
  setenv("LC_ALL", "C", 1);
  printf("%s", setlocale(LC_ALL, ""));
  characters();
  setenv("LC_ALL", "C.UTF-8", 1);
  printf("%s", setlocale(LC_CTYPE, ""));
  all();
  FILE *file = file_of("a\xc3\xa9");
  SHOW(fgetwc(file)), setlocale(LC_ALL, "POSIX"), SHOW(fgetwc(file)), fclose(file); /* a stream keeps its encoding */
  locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
  SHOW(!!iswalpha_l(0xe9, locale)), SHOW(towupper_l(0xe9, locale)), SHOW(!!iswalpha(0xe9));
  locale_t before = uselocale(locale);
  characters();
  uselocale(before), freelocale(locale);
  characters();
  return 0;
}
