/* <stdlib.h>: numbers, sorting, memory, the environment, multibyte characters. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void numbers(void) {
  printf("%d %ld %lld %g\n", atoi(" -42x"), atol("1234567890123"), atoll("-9223372036854775808"), atof("1.5e3z"));
  const char *texts[] = {"0", " +7 ", "0x1F", "077", "-0xg", "zz", "9999999999999999999999", "-9999999999999999999999", "",
                         "0b1", "12abc", "\t\n-3", "+-1"};
  const int bases[] = {0, 10, 16, 8, 36, 2};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    for (int b = 0; b < 6; b++) {
      char *end[4];
      errno = 0;
      const long l = strtol(texts[i], &end[0], bases[b]);
      const int e1 = errno;
      errno = 0;
      const unsigned long u = strtoul(texts[i], &end[1], bases[b]);
      const int e2 = errno;
      const long long ll = strtoll(texts[i], &end[2], bases[b]);
      const unsigned long long ull = strtoull(texts[i], &end[3], bases[b]);
      printf("%ld/%td/%d %lu/%td/%d %d ", l, end[0] - texts[i], e1 == ERANGE, u, end[1] - texts[i], e2 == ERANGE,
             ll == l && ull == u && end[2] == end[0] && end[3] == end[1]);
    }
    printf("\n");
  }
  const char *reals[] = {"0", "-0", "1", "3.14159265358979", "1e308", "1e309", "-1e-400", "0x1.8p3", "inf", "-INFINITY", "nan",
                         "nan(123)", ".5", "5.", ".", "1e", "1e+", "0x", "123456789012345678901234567890", "4.9e-324", "2e-324"};
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
    char *end[3];
    errno = 0;
    const double d = strtod(reals[i], &end[0]);
    const int range = errno == ERANGE;
    const float f = strtof(reals[i], &end[1]);
    const long double ld = strtold(reals[i], &end[2]);
    printf("%a %td %d %a %td %.15Lg\n", d, end[0] - reals[i], range, f, end[1] - reals[i], ld);
  }
}

static int by_value(const void *a, const void *b) { return (*(int *)a > *(int *)b) - (*(int *)a < *(int *)b); }

static void sorting(void) {
  int numbers[200];
  unsigned state = 12345;
  for (int i = 0; i < 200; i++) numbers[i] = (int)((state = state * 1103515245 + 12345) >> 16) % 1000;
  qsort(numbers, 200, sizeof *numbers, by_value);
  for (int i = 0; i < 200; i += 20) printf("%d ", numbers[i]);
  int sorted = 1;
  for (int i = 1; i < 200; i++) sorted &= numbers[i - 1] <= numbers[i];
  printf("%d\n", sorted);
  int found = 0;
  for (int key = -5; key < 1000; key++) {
    const int *at = bsearch(&key, numbers, 200, sizeof *numbers, by_value);
    if (at && *at == key) found++;
  }
  printf("%d %d\n", found, bsearch(&found, numbers, 0, sizeof *numbers, by_value) == NULL);
  qsort(numbers, 0, sizeof *numbers, by_value);
}

static void memory(void) {
  char *p = malloc(10);
  strcpy(p, "kept");
  p = realloc(p, 100000);
  printf("%s\n", p);
  p = realloc(p, 5);
  printf("%s\n", p);
  free(p);
  int *zeroed = calloc(1000, sizeof *zeroed), sum = 0;
  for (int i = 0; i < 1000; i++) sum |= zeroed[i];
  printf("%d\n", sum);
  free(zeroed);
  char *aligned = aligned_alloc(64, 128);
  printf("%d\n", (int)((uintptr_t)aligned % 64));
  free(aligned);
  free(NULL);
  volatile size_t huge = SIZE_MAX / 4;
  void *volatile none = malloc(huge);
  printf("%d ", none == NULL);
  none = calloc(huge, huge);
  printf("%d\n", none == NULL);
}

static void arithmetic(void) {
  printf("%d %ld %lld\n", abs(-5), labs(-6L), llabs(-7LL));
  const div_t d = div(-17, 5);
  const ldiv_t l = ldiv(17L, -5L);
  const lldiv_t ll = lldiv(-17LL, -5LL);
  printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem);
  srand(7);
  const int first = rand(), second = rand();
  srand(7);
  printf("%d ", rand() == first);
  printf("%d %d\n", rand() == second, first >= 0 && first <= RAND_MAX);
}

static void environment(void) {
  printf("%d\n", getenv("NO_SUCH_VARIABLE") == NULL);
  setenv("OURS", "value", 1);
  printf("%s\n", getenv("OURS"));
  printf("%d\n", system(NULL) >= 0);
}

static void multibyte(void) {
  wchar_t wide[8];
  char narrow[8];
  printf("%d %d %d\n", MB_CUR_MAX > 0, mblen("a", 1), mblen("", 1));
  printf("%d ", mbtowc(wide, "z", 1));
  printf("%d %d\n", wide[0] == L'z', wctomb(narrow, L'q'));
  printf("%c %zu ", narrow[0], mbstowcs(wide, "hello", 8));
  printf("%d %zu ", wide[4] == L'o', wcstombs(narrow, wide, 8));
  printf("%s %d\n", narrow, mblen(NULL, 0));
}

static void last(void) { puts("last"); }
static void quick(void) { puts("at_quick_exit"), fflush(stdout); }

int main(int argc, char **argv) {
  numbers();
  sorting();
  memory();
  arithmetic();
  environment();
  multibyte();
  atexit(last);
  at_quick_exit(quick);
  if (argc > 5) abort();
  if (argc > 4) _Exit(1);
  if (argc > 3) exit(EXIT_FAILURE);
  fflush(stdout);
  quick_exit(EXIT_SUCCESS);
}
