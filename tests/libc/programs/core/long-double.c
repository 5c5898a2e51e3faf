/* long double has more bits here than on the machines this is compared with, so 17 digits of its results must agree */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ONE(name, ...) \
  do { \
    static const long double arguments[] = {__VA_ARGS__}; \
    printf("%s:", #name); \
    for (unsigned i = 0; i < sizeof arguments / sizeof *arguments; i++) printf(" %.17Lg", name(arguments[i])); \
    printf("\n"); \
  } while (0)

int main(void) {
  ONE(sqrtl, 2, 0.5L, 1e4000L); ONE(cbrtl, 2, -27, 1e4000L); ONE(fabsl, -2.5L); ONE(floorl, -2.5L, 2.5L, 1e30L); ONE(ceill, -2.5L, 2.5L);
  ONE(truncl, -2.5L, 2.5L); ONE(rintl, -2.5L, 2.5L, 3.5L); ONE(roundl, -2.5L, 2.5L); ONE(logbl, 1e4000L, 0.3L);
  ONE(sinl, 0.5L, -2, 3.25L, 100); ONE(cosl, 0.5L, -2, 3.25L, 100); ONE(tanl, 0.5L, -2, 3.25L);
  ONE(asinl, -1, -0.25L, 0.75L); ONE(acosl, -1, -0.25L, 0.75L); ONE(atanl, -1e9L, -1, 0.25L, 5);
  ONE(sinhl, -3, 0.0009765625L, 20, 11000); ONE(coshl, -3, 0.5L, 11000); ONE(tanhl, -3, 0.0009765625L, 30);
  ONE(asinhl, -3, 0.0009765625L, 1e4000L); ONE(acoshl, 1.5L, 20, 1e4000L); ONE(atanhl, -0.875L, 0.0009765625L);
  ONE(expl, -11000, -1, 0x1p-40L, 1, 11000); ONE(exp2l, 0.5L, 10, -16000); ONE(expm1l, 0x1p-40L, -0.25L, 3);
  ONE(logl, 1e-4000L, 0.5L, 2, 10, 1e4000L); ONE(log2l, 3, 1e4000L); ONE(log10l, 3, 1000, 1e4000L); ONE(log1pl, 0x1p-40L, 3);
  printf("%.17Lg %.17Lg %.17Lg %.17Lg\n", powl(2, 0.5L), powl(3, 40), powl(10, 4000), powl(-2, 3));
  printf("%.17Lg %.17Lg %.17Lg\n", hypotl(3e4000L, 4e4000L), atan2l(-1, -2), fmodl(0x1p13000L, 7));
  printf("%.17Lg %.17Lg %.17Lg\n", remainderl(10.75L, 3), fmal(3, 5, 7), fdiml(5, 2));
  int exponent;
  long double whole, fraction = frexpl(1e4000L, &exponent);
  printf("%.17Lg %d %.17Lg ", fraction, exponent, modfl(-3.75L, &whole));
  printf("%.17Lg %.17Lg %ld %lld\n", whole, ldexpl(0.75L, -16000), lrintl(2.5L), llroundl(-2.5L));
  volatile long double a = 1, b = 3;
  volatile int i = -7;
  volatile unsigned long u = 18446744073709551615ul;
  volatile float f = 0.1f;
  volatile double d = 0.1;
  printf("%.17Lg %.17Lg %.17Lg %.17Lg\n", a / b + b, a - b * b, (long double)i, (long double)u);
  printf("%.17Lg %.17Lg %.17g %.9g %d %lu %d%d%d\n", (long double)f, (long double)d, (double)(a / b), (float)(a / b), (int)(b * -2.5L), (unsigned long)(b * 1e18L), a < b, a == b, a >= b);
  char *end;
  printf("%.12Lf %.3Lf %Lf %.5Le\n", strtold("1.25rest", &end), strtold("-1e20", NULL), a / b, strtold("1e4000", NULL));
  errno = 0;
  printf("%s %d ", end, strtold("1e9999", NULL) == HUGE_VALL);
  printf("%d ", errno == ERANGE);
  printf("%d ", sscanf("2.5e100", "%Lf", &whole));
  printf("%.17Lg\n", whole);
}
