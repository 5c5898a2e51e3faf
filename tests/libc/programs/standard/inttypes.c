/* <inttypes.h>: functions, and the macros for printf and scanf. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <wchar.h>

int main(void) {
  printf("%jd %jd\n", imaxabs(-7), imaxabs(INTMAX_MAX));
  for (int i = -1; i <= 1; i += 2) {
    const imaxdiv_t r = imaxdiv(i * 17, 5);
    printf("%jd %jd\n", r.quot, r.rem);
  }
  char *end;
  printf("%jd", strtoimax("  -0x1fz", &end, 0));
  printf(" '%s'\n", end);
  printf("%ju\n", strtoumax("777", &end, 8));
  errno = 0;
  printf("%jd", strtoimax("9223372036854775808", 0, 10));
  printf(" %d\n", errno == ERANGE);
  printf("%ju\n", strtoumax("-1", 0, 10));
  wchar_t *wide_end;
  printf("%jd ", wcstoimax(L"123abc", &wide_end, 10));
  printf("%d ", *wide_end == L'a');
  printf("%ju\n", wcstoumax(L"ff", &wide_end, 16));
  int8_t a = 0;
  uint32_t b = 0;
  int64_t c = 0;
  printf("%d", sscanf("-12 beef 99999999999", "%" SCNd8 " %" SCNx32 " %" SCNd64, &a, &b, &c));
  printf(" %" PRId8 " %" PRIX32 " %" PRId64 "\n", a, b, c);
  return 0;
}
