/* <math.h>: every function, on values that show its character; 12 digits, for libraries differ in the last place. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

static const double values[] = {0.0, -0.0, 0.5, -0.5, 1, -1, 1.5, 2.5, -2.5, 3.7, 10, 100.25, 1e-10, 1e10, INFINITY, -INFINITY};
#define COUNT (int)(sizeof values / sizeof *values)

/* NaN has no sign worth comparing. */
static int zero_has_sign = 1;

static void show_digits(int digits, double x) {
  if (isnan(x)) printf(" nan");
  else if (x == 0 && !zero_has_sign) printf(" 0");
  else printf(" %.*g", digits, x);
}

static void show(double x) { show_digits(12, x); }

#define ONE(name)                                              \
  do {                                                      \
    printf("%s:", #name);                                      \
    for (int i = 0; i < COUNT; i++) show(name(values[i]));     \
    printf(" |");                                           \
    for (int i = 2; i < 8; i++) show_digits(5, (double)name##f((float)values[i])); \
    printf(" |");                                           \
    for (int i = 2; i < 8; i++) show((double)name##l(values[i])); \
    printf("\n");                                           \
  } while (0)

#define TWO(name)                                                                                  \
  do {                                                                                          \
    printf("%s:", #name);                                                                          \
    for (int i = 0; i < COUNT; i++)                                                             \
      for (int j = 0; j < COUNT; j += 3) show(name(values[i], values[j]));                         \
    printf(" | %.5g", (double)name##f(3.5f, 2.0f));                                                \
    show((double)name##l(3.5L, 2.0L));                                                             \
    printf("\n");                                                                               \
  } while (0)

int main(void) {
  ONE(acos); ONE(asin); ONE(atan); ONE(cos); ONE(sin); ONE(tan);
  ONE(acosh); ONE(asinh); ONE(atanh); ONE(cosh); ONE(sinh); ONE(tanh);
  ONE(exp); ONE(exp2); ONE(expm1); ONE(log); ONE(log10); ONE(log1p); ONE(log2); ONE(logb);
  ONE(cbrt); ONE(fabs); ONE(sqrt); ONE(erf); ONE(erfc); ONE(lgamma); ONE(tgamma);
  ONE(ceil); ONE(floor); ONE(nearbyint); ONE(rint); ONE(round); ONE(trunc);
  TWO(atan2); TWO(hypot); TWO(pow); TWO(fmod); TWO(remainder); TWO(copysign);
  TWO(nextafter); TWO(fdim);
  zero_has_sign = 0; /* which of two zeros is the larger is left open */
  TWO(fmax); TWO(fmin);
  zero_has_sign = 1;

  for (int i = 2; i < 14; i++) {
    const double x = values[i];
    int e, q = 0;
    double whole;
    printf("%.12g:", x);
    show(frexp(x, &e));
    printf(" %d", e);
    show(ldexp(x, 5)), show(scalbn(x, -3)), show(scalbln(x, 7L));
    show(modf(x, &whole)), show(whole);
    show(fma(x, 2, 1));
    printf(" %d %ld %ld %lld %lld", ilogb(x), lrint(x), lround(x), llrint(x), llround(x));
    show(remquo(x, 0.75, &q));
    printf(" %d", q & 7);
    printf(" %d %d %d %d %d\n", fpclassify(x) == FP_NORMAL, isfinite(x) != 0, isinf(x) != 0, isnormal(x) != 0, signbit(x) != 0);
  }
  int e;
  float wholef;
  long double wholel;
  printf("%g %Lg ", frexpf(12.5f, &e), frexpl(12.5L, &e));
  printf("%g %Lg %g %Lg %g %Lg ", ldexpf(1.5f, 3), ldexpl(1.5L, 3), scalbnf(1.5f, 2), scalbnl(1.5L, 2), scalblnf(1.5f, 2L), scalblnl(1.5L, 2L));
  printf("%g ", modff(2.75f, &wholef));
  printf("%Lg ", modfl(-2.75L, &wholel));
  printf("%g %Lg\n", wholef, wholel);
  printf("%g %Lg %d %d %ld %ld %ld %ld %lld %lld %lld %lld\n", fmaf(2, 3, 4), fmal(2, 3, 4), ilogbf(9.0f), ilogbl(9.0L), lrintf(2.5f),
         lrintl(3.5L), lroundf(2.5f), lroundl(-2.5L), llrintf(2.5f), llrintl(3.5L), llroundf(2.5f), llroundl(-2.5L));
  printf("%g %Lg\n", remquof(5.0f, 3.0f, &e), remquol(5.0L, 3.0L, &e));
  printf("%d %d %d\n", isnan(nan("")) != 0, isnan(nanf("1")) != 0, isnan(nanl("")) != 0);
  printf("%a %a %a\n", nexttoward(1.0, 2.0L), (double)nexttowardf(1.0f, 0.0L), (double)nexttowardl(1.0L, 1.0L));
  printf("%d %d %d %d %d %d\n", isgreater(2.0, 1.0), isgreaterequal(1.0, 1.0), isless(NAN, 1.0), islessequal(1.0, 2.0), islessgreater(1.0, 1.0),
         isunordered(1.0, NAN));
  printf("%d %d %d %d %d\n", fpclassify(NAN) == FP_NAN, fpclassify(0.0) == FP_ZERO, fpclassify(DBL_MIN / 2) == FP_SUBNORMAL,
         fpclassify(-HUGE_VAL) == FP_INFINITE, ilogb(0) == FP_ILOGB0);
  printf("%d %d\n", HUGE_VALF > FLT_MAX, math_errhandling != 0);
  return 0;
}
