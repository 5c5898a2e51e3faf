/* powl: small whole powers by squaring, so that exact results are exact; others as e^(y log x). */
#include <errno.h>
#include <math.h>

#define LARGEST_BY_SQUARING 1024

long double __powitf2(long double x, int power);

static int is_whole(long double y) { return truncl(y) == y; }

static int is_odd(long double y) { return is_whole(y) && fmodl(y, 2) != 0; }

static long double checked(long double result, long double x) {
  if (isinf(result) || (result == 0 && x != 0)) errno = ERANGE;
  return result;
}

long double powl(long double x, long double y) {
  if (x == 1 || y == 0 || (x == -1 && isinf(y))) return 1;
  if (isnan(x) || isnan(y)) return x + y;
  if (isinf(y)) return (fabsl(x) > 1) == (y > 0) ? INFINITY : 0;
  if (isinf(x) || x == 0) {
    long double sign = is_odd(y) && signbit(x) ? -1 : 1;
    if ((x == 0) == (y > 0)) return sign * 0;
    if (x == 0) errno = ERANGE;
    return sign * (long double)INFINITY;
  }
  if (is_whole(y) && fabsl(y) <= LARGEST_BY_SQUARING) {
    long double result = __powitf2(x, (int)fabsl(y));
    if (y > 0) return checked(result, x);
    if (isfinite(result) && result != 0) return checked(1 / result, x);
  }
  if (x < 0 && !is_whole(y)) {
    errno = EDOM;
    return NAN;
  }
  long double size = expl(y * logl(fabsl(x)));
  return checked(x < 0 && is_odd(y) ? -size : size, x);
}
