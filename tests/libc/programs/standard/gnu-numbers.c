/* Numbers from text and text from numbers, and generators with a state of the caller: GNU. */
#define _GNU_SOURCE
#define __STDC_WANT_IEC_60559_BFP_EXT__ 1
#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double values[] = {0,         1,     3.14159, -2.5, 1234567.891, 1e-5,   0.000123456, 9.25,
                                0.5,       0.05,  1e20,    1e-8, 1.0 / 3,     -0.0,   1e10,
                                123456789, 0.001, -7e-7,   42,   1e15,        1048576};
static const int counts[] = {-9, -3, -1, 0, 1, 2, 5, 10, 16};

static void digits(double value) {
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    int count = counts[i], point = 77, sign = 77;
    printf("ecvt %s", ecvt(value, count, &point, &sign));
    printf(" %d %d", point, sign);
    printf(" fcvt %s", fcvt(value, count, &point, &sign));
    printf(" %d %d", point, sign);
    char text[64];
    if (count > 0) printf(" gcvt %s", gcvt(value, count, text));
    if (count > 0) printf(" qecvt %s", qecvt((long double)value, count, &point, &sign));
    puts("");
  }
}

static void buffers(void) {
  int point, sign;
  char text[6];
  printf("%d\n", ecvt_r(123.456, 10, &point, &sign, text, sizeof text));
  int result = fcvt_r(-123.456, 1, &point, &sign, text, sizeof text);
  printf("%d %s %d %d\n", result, text, point, sign);
  result = qfcvt_r(1.5L, 2, &point, &sign, text, sizeof text);
  printf("%d %s %d %d\n", result, text, point, sign);
  printf("%s\n", ecvt(INFINITY, 3, &point, &sign));
  printf("%s %d\n", fcvt(-INFINITY, 3, &point, &sign), sign);
  printf("%s\n", ecvt(NAN, 3, &point, &sign));
}

static void formats(void) {
  char text[40];
  printf("%d ", strfromd(text, sizeof text, "%.3f", 2.0 / 3));
  puts(text);
  printf("%d ", strfromf(text, sizeof text, "%g", 0.1f));
  puts(text);
  printf("%d ", strfroml(text, sizeof text, "%.10e", 1.0L / 3));
  puts(text);
  printf("%d ", strfromd(text, 4, "%f", 123.25));
  puts(text);
  printf("%d %d %d\n", rpmatch("yes"), rpmatch("No"), rpmatch("perhaps"));
}

static void generators(void) {
  static const size_t sizes[] = {8, 32, 64, 128, 256};
  for (int i = 0; i < 5; i++) {
    static uint32_t state[5][64];
    struct random_data generator = {0};
    int32_t number;
    printf("%d:", initstate_r(7 + i, (char *)state[i], sizes[i], &generator));
    for (int n = 0; n < 5; n++) printf(" %d", random_r(&generator, &number) == 0 ? number : -1);
    srandom_r(0, &generator);
    random_r(&generator, &number);
    printf(" %d", number);
    static uint32_t other[64];
    initstate_r(1, (char *)other, 128, &generator);
    setstate_r((char *)state[i], &generator);
    random_r(&generator, &number);
    printf(" %d\n", number);
  }
  struct drand48_data generator = {0};
  unsigned short words[3] = {1, 2, 3}, parameters[7] = {1, 2, 3, 4, 5, 6, 7};
  double fraction;
  long number;
  srand48_r(42, &generator);
  for (int n = 0; n < 3; n++) {
    drand48_r(&generator, &fraction);
    printf("%.15f", fraction);
    lrand48_r(&generator, &number);
    printf(" %ld", number);
    mrand48_r(&generator, &number);
    printf(" %ld", number);
    erand48_r(words, &generator, &fraction);
    printf(" %.15f", fraction);
    nrand48_r(words, &generator, &number);
    printf(" %ld", number);
    jrand48_r(words, &generator, &number);
    printf(" %ld\n", number);
    if (n == 0) seed48_r(words, &generator);
    if (n == 1) lcong48_r(parameters, &generator);
  }
}

static void rounding(void) {
  static const double sides[][2] = {{1, 2}, {-0.0, 0.0}, {NAN, 1}, {-3, 2}, {INFINITY, -INFINITY}, {NAN, NAN}};
  static const double numbers[] = {0.5, 1.5, 2.5, -2.5, 3.49, -0.5, 1e18, 4503599627370495.5, -0.0, INFINITY};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    double x = numbers[i];
    printf("%g %.17g %.9g %.20Lg", x, roundeven(x), (double)roundevenf((float)x), roundevenl((long double)x));
    printf(" %.17g %.17g", nextup(x), nextdown(x));
    printf(" %.9g %.9g %d", (double)nextupf((float)x), (double)nextdownf((float)x), nextupl(x) >= x);
    printf(" %ld %ld\n", llogb(x), llogbf((float)x));
  }
  for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
    double x = sides[i][0], y = sides[i][1];
    printf("%g %g: %g %g", x, y, fabs(fmaximum(x, y)), copysign(1, fmaximum(x, y)));
    printf(" %g %g", fabs(fminimum(x, y)), isnan(x) ? 0 : copysign(1, fminimum(x, y)));
    printf(" %g %g", fabs(fmaximum_num(x, y)), fabs(fminimum_num(x, y)));
    printf(" %g %g", fabs(fmaximum_mag(x, y)), fabs(fminimum_mag(x, y)));
    printf(" %g %g\n", fabs(fmaximum_mag_num(x, y)), (double)fabsf(fminimum_mag_numf((float)x, (float)y)));
  }
  volatile long double zero = 0, minus = -zero, none = NAN, two = 2;
  printf("%d %d", signbit(fmaximuml(minus, zero)) != 0, signbit(fminimum_numl(zero, minus)) != 0);
  printf(" %Lg %Lg", fmaximum_numl(none, two), fminimum_numl(two, none));
  printf(" %d %Lg\n", isnan(fminimuml(none, two)) != 0, fmaximuml(two, zero));
  double from = -0.0, to = 1;
  printf("%d", canonicalize(&to, &from));
  printf(" %g\n", to);
}

int main(void) {
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) digits(values[i]);
  buffers();
  formats();
  generators();
  rounding();
  printf("%d %d\n", mallopt(M_MMAP_THRESHOLD, 65536), malloc_trim(0) >= 0);
  struct mallinfo2 info = mallinfo2();
  void *block = pvalloc(10);
  printf("%d %d\n", info.uordblks < 1ul << 40, ((uintptr_t)block & 4095) == 0 && malloc_usable_size(block) >= 4096);
  free(block);
  return 0;
}
