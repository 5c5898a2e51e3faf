/* <wchar.h>, <uchar.h>: UTF-8 and wide strings */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

#include "checksum.h"

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
  setlocale(LC_ALL, "C.UTF-8");
  for (wint_t c = 1; c < 0x110000; c += 1 + c / 200) {
    char text[16], utf16_text[16];
    size_t n = wcrtomb(text, (wchar_t)c, NULL);
    if (n == (size_t)-1) {
      add64(n);
      continue;
    }
    add_bytes(text, n);
    wchar_t wide;
    mbstate_t state = {0}, byte_state = {0};
    add64(mbrtowc(&wide, text, n, &state)), add64(wide), add64(mblen(text, n)), add64(mbsinit(&state) != 0);
    for (size_t i = 0; i < n; i++) add64(mbrtowc(&wide, text + i, 1, &byte_state));
    char16_t units[2] = {0, 0};
    char32_t unit32;
    mbstate_t out = {0}, in = {0};
    add64(mbrtoc16(&units[0], text, n, &out)), add64(mbrtoc32(&unit32, text, n, &in)), add64(unit32);
    if (c > 0xffff) add64(mbrtoc16(&units[1], text, 0, &out));
    add64(units[0]), add64(units[1]);
    mbstate_t back = {0};
    n = c16rtomb(utf16_text, units[0], &back);
    if (c > 0xffff) n = c16rtomb(utf16_text, units[1], &back);
    add_bytes(utf16_text, n), add64(c32rtomb(utf16_text, unit32, &in));
  }
  print_sum("utf-8");
  static const char *const wrong[] = {"\x80", "\xc0\x80", "\xc1\xbf", "\xff", "\xe4", "\xe4\xb8", "\xe4" "a"};
  for (int i = 0; i < 7; i++) {
    mbstate_t state = {0};
    wchar_t wide;
    errno = 0;
    long n = (long)mbrtowc(&wide, wrong[i], strlen(wrong[i]), &state);
    printf("%ld %d\n", n, errno);
  }
  const char *text = "Gr\xc3\xbc\xc3\x9f" "e, \xe4\xb8\x96\xe7\x95\x8c \xf0\x9f\x98\x80!";
  wchar_t wide[64], copy[64], token_text[64], *token_state;
  printf("%zu %zu\n", mbstowcs(NULL, text, 0), mbstowcs(wide, text, 64));
  char narrow[64];
  printf("%zu %s %zu\n", wcstombs(narrow, wide, 64), narrow, wcstombs(NULL, wide, 0));
  mbstate_t state = {0};
  const char *rest = text;
  printf("%zu ", mbsrtowcs(copy, &rest, 4, &state)), printf("%td ", rest - text);
  printf("%zu ", mbsrtowcs(copy + 4, &rest, 60, &state)), printf("%d\n", rest == NULL);
  const wchar_t *wide_rest = wide;
  printf("%zu ", wcsrtombs(narrow, &wide_rest, 6, &state)), printf("%td\n", wide_rest - wide);
  printf("%d %d %d\n", btowc('a') == L'a', wctob(L'a'), btowc(200) == WEOF);
  printf("%zu %zu %d %d\n", wcslen(wide), wcsnlen(wide, 3), sign(wcscmp(wide, copy)), sign(wcsncmp(L"abc", L"abd", 2)));
  wcscpy(copy, L"one, two;three"), wcscat(copy, L"!"), wcsncat(copy, L"xyz", 2);
  printf("%ls %td %td %td\n", copy, wcschr(copy, L'w') - copy, wcsrchr(copy, L'e') - copy, wcsstr(copy, L"two") - copy);
  printf("%zu %zu %ls\n", wcsspn(copy, L"eno"), wcscspn(copy, L",;"), wcspbrk(copy, L";,"));
  wcscpy(token_text, copy);
  for (wchar_t *t = wcstok(token_text, L",; ", &token_state); t; t = wcstok(NULL, L",; ", &token_state)) printf("[%ls]", t);
  wmemset(copy, L'z', 5), wmemmove(copy + 1, copy, 3), copy[5] = 0;
  printf("\n%ls %d %td %d\n", copy, sign(wmemcmp(L"ab", L"ac", 2)), wmemchr(wide, L',', 20) - wide, sign(wcscoll(L"a", L"b")));
  printf("%d %d %d %d %d\n", wcwidth(L'a'), wcwidth(0x4e16), wcwidth(0x301), wcwidth(7), wcswidth(L"a\u4e16", 5));
  printf("%d %d %lc %lc\n", !!iswalpha(0xfc), !!iswupper(0xdc), towupper(0xfc), towlower(0x416));
  printf("%d %d\n", sign(wcscasecmp(L"ABC", L"abd")), wcsncasecmp(L"ABCx", L"abcy", 3));
  static const wchar_t *const numbers[] = {L" 12.5e3x", L"-0x1.8p3", L"inf", L"nan(1)", L"abc", L"1e400", L".5.", L"12345678901234567890123456789012345678901234567890e-49"};
  for (int i = 0; i < 8; i++) {
    wchar_t *end;
    double value = wcstod(numbers[i], &end);
    printf("%g %td %g %Lg\n", value, end - numbers[i], (double)wcstof(numbers[i], NULL), wcstold(numbers[i], NULL));
  }
  wchar_t *duplicate = wcsdup(L"dup");
  printf("%ls\n", duplicate), free(duplicate);
}
