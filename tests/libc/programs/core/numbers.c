/* Integers from text and their arithmetic: strtol and its relatives, div, abs, a64l */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <wchar.h>

#include "checksum.h"

int main(void) {
  static const char *const prefixes[] = {"", "", " ", "\t\n ", "+", "-", "+-", "0x", "0X", "-0x", "0", " -0", "x"};
  static const int bases[] = {0, 10, 16, 8, 2, 36, 7};
  for (int i = 0; i < 100000; i++) {
    char text[64], *end;
    strcpy(text, prefixes[random64() % 13]);
    size_t n = strlen(text);
    const char *letters = random64() % 3 ? "0123456789" : "0123456789abcdefxzZFG g";
    for (int k = random64() % 24; k > 0; k--) text[n++] = letters[random64() % strlen(letters)];
    text[n] = 0;
    int base = bases[random64() % 7];
    errno = 0;
    add64(strtol(text, &end, base)), add64(end - text), add64(errno), errno = 0;
    add64(strtoul(text, &end, base)), add64(end - text), add64(errno), errno = 0;
    add64(strtoimax(text, NULL, base)), add64(strtoumax(text, NULL, base)), add64(strtoll(text, NULL, base));
    add64(atoi(text)), add64(atol(text)), add64(atoll(text));
    wchar_t wide[64], *wide_end;
    for (size_t k = 0; k <= n; k++) wide[k] = (unsigned char)text[k];
    errno = 0;
    add64(wcstol(wide, &wide_end, base)), add64(wide_end - wide), add64(errno);
    add64(wcstoull(wide, &wide_end, base)), add64(wide_end - wide);
  }
  print_sum("strtol");
  for (int i = -7; i <= 7; i++) {
    if (i == 0) continue;
    div_t q = div(17, i);
    ldiv_t r = ldiv(-17, i);
    lldiv_t s = lldiv(100000000000LL, i);
    imaxdiv_t t = imaxdiv(-99, i);
    printf("%d %d %ld %ld %lld %lld %jd %jd\n", q.quot, q.rem, r.quot, r.rem, s.quot, s.rem, t.quot, t.rem);
  }
  printf("%d %ld %lld %jd\n", abs(-5), labs(LONG_MIN + 1), llabs(-7LL), imaxabs(-9));
  printf("%ld %ld %s", a64l("./0"), a64l("zz"), l64a(12345)), printf("%s\n", l64a(0));
  printf("%" PRId8 " %" PRIu16 " %" PRIx32 " %" PRId64 " %" PRIoMAX " %" PRIdPTR "\n", (int8_t)-3, (uint16_t)65535, 0xabcdu, INT64_MIN, (uintmax_t)8, (intptr_t)-1);
  int8_t small;
  int64_t large;
  sscanf("-12 123456789012", "%" SCNd8 " %" SCNd64, &small, &large);
  printf("%d %" PRId64 "\n", small, large);
  char options[] = "ro,size=10,bad", *rest = options, *value;
  char *const tokens[] = {"size", "ro", NULL};
  while (*rest) {
    int found = getsubopt(&rest, tokens, &value);
    printf("%d %s\n", found, value ? value : "-");
  }
}
