/*
 * lrint, lround and their relatives. A value that does not fit gives LONG_MIN and EDOM: the
 * standard leaves it unspecified.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>

static long to_long(double x) {
  if (x >= -0x1p63 && x < 0x1p63) return (long)x;
  errno = EDOM;
  return LONG_MIN;
}

static long to_long_from_quad(long double x) {
  if (x >= -0x1p63L && x < 0x1p63L) return (long)x;
  errno = EDOM;
  return LONG_MIN;
}

long lrint(double x) { return to_long(rint(x)); }
long lrintf(float x) { return to_long(rintf(x)); }
long lrintl(long double x) { return to_long_from_quad(rintl(x)); }
long long llrint(double x) { return to_long(rint(x)); }
long long llrintf(float x) { return to_long(rintf(x)); }
long long llrintl(long double x) { return to_long_from_quad(rintl(x)); }
long lround(double x) { return to_long(round(x)); }
long lroundf(float x) { return to_long(roundf(x)); }
long lroundl(long double x) { return to_long_from_quad(roundl(x)); }
long long llround(double x) { return to_long(round(x)); }
long long llroundf(float x) { return to_long(roundf(x)); }
long long llroundl(long double x) { return to_long_from_quad(roundl(x)); }
