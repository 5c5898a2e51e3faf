/* The functions of <math.h> whose results are exact, bit by bit, for double and float */
#include "checksum.h"

static double random_double(void) {
  uint64_t bits;
  switch (random64() % 6) {
    case 0: bits = random64(); break;
    case 1: bits = (random64() & 1ull << 63) | random64() >> 12 >> random64() % 53; break;
    case 2: return (double)((int64_t)random64() >> random64() % 64) / (1 << random64() % 4);
    case 3: bits = (random64() & 1ull << 63) | (random64() % 2 ? 0x7feull << 52 : 1ull << 52) | random64() >> 12; break;
    default: bits = (random64() & 1ull << 63) | (1023 - 60 + random64() % 120) << 52 | random64() >> 12;
  }
  double x;
  memcpy(&x, &bits, sizeof x);
  return x == x ? x : NAN;
}

#define ONE(name) \
  for (int i = 0; i < 20000; i++) add_double(name(random_double())), add_double(name##f((float)random_double())); \
  print_sum(#name);

#define TWO(name) \
  for (int i = 0; i < 20000; i++) { \
    double x = random_double(), y = random_double(); \
    add_double(name(x, y)), add_double(name##f((float)x, (float)y)); \
  } \
  print_sum(#name);

int main(void) {
  ONE(fabs) ONE(sqrt) ONE(floor) ONE(ceil) ONE(trunc) ONE(rint) ONE(nearbyint) ONE(round) ONE(logb)
  TWO(copysign) TWO(fmod) TWO(nextafter) TWO(fdim)
  for (int i = 0; i < 20000; i++) {
    double x = random_double(), y = random_double(), z = random_double(), whole;
    int n = (int)(random64() % 4400) - 2200, exponent, quotient;
    if (i % 4 == 0) z = -x * y;
    add_double(fma(x, y, z)), add_double(fmaf((float)x, (float)y, (float)z));
    add_double(ldexp(x, n)), add_double(scalbn(x, n % 100)), add_double(ldexpf((float)x, n / 8)), add_double(scalbln(x, n));
    add_double(modf(x, &whole)), add_double(whole);
    if (isfinite(x)) add_double(frexp(x, &exponent)), add64(exponent), add64(ilogb(x == 0 ? 1 : x));
    if (fabs(x) < 9e18) add64(lrint(x)), add64(lround(x)), add64(llrint(x)), add64(llround(x));
    if (isfinite(x) && isfinite(y) && fabs(y) > 1e-290) {
      add_double(remainder(x, y) + 0.0), add_double(remquo(x, y, &quotient) + 0.0);
      add64((quotient < 0 ? -quotient : quotient) & 7);
    }
    if (x != y) add_double(fmax(x, y)), add_double(fmin(x, y));
    add64(fpclassify(x)), add64(!!signbit(x)), add64(!!isnan(x)), add64(!!isinf(x)), add64(!!isfinite(x)), add64(!!isnormal(x));
    add64(isgreater(x, y)), add64(isless(x, y)), add64(isunordered(x, y)), add64(islessgreater(x, y));
  }
  print_sum("others");
  printf("%g %g %g %d\n", nan("") == nan("") ? 1.0 : 0.0, HUGE_VAL, (double)INFINITY, isnan(NAN) != 0);
}
