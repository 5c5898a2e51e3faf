/* The transcendental functions of <math.h>, to 13 digits of their results: another machine's last bits may differ */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#define ONE(name, ...) \
  do { \
    static const double arguments[] = {__VA_ARGS__}; \
    printf("%s:", #name); \
    for (unsigned i = 0; i < sizeof arguments / sizeof *arguments; i++) \
      printf(" %.13g/%.6g", name(arguments[i]), (double)name##f((float)arguments[i])); \
    printf("\n"); \
  } while (0)

#define ERROR(call) (errno = 0, sink = (call), printf("%s errno %d\n", #call, errno))

volatile double sink, infinity = INFINITY, zero = 0, one = 1, two = 2, large = 1e6, negative = -1.5;

int main(void) {
  ONE(sin, 0.5, -2, 3.2, 100, 1e10); ONE(cos, 0.5, -2, 3.2, 100, 1e10); ONE(tan, 0.5, -2, 3.2, 100);
  ONE(asin, -1, -0.3, 0.7, 1); ONE(acos, -1, -0.3, 0.7, 1); ONE(atan, -1e9, -1, 0.2, 5);
  ONE(sinh, -3, 0.001, 0.5, 20); ONE(cosh, -3, 0.001, 0.5, 20); ONE(tanh, -3, 0.001, 0.5, 20);
  ONE(asinh, -3, 0.001, 0.5, 1e5); ONE(acosh, 1, 1.5, 20, 1e5); ONE(atanh, -0.9, 0.001, 0.5);
  ONE(exp, -700.5, -1, 1e-10, 1, 20.5); ONE(exp2, -50.25, -1, 0.5, 10, 20.125); ONE(expm1, -5, 1e-9, 1, 20.5);
  ONE(log, 1e-300, 0.5, 2, 10, 1e10); ONE(log2, 0.1, 3, 10, 1e10); ONE(log10, 0.1, 3, 1000, 1e10); ONE(log1p, -0.5, 1e-9, 3, 1e10);
  ONE(cbrt, -27, 0.5, 2, 1e10); ONE(erf, -3, -0.5, 1e-5, 0.95, 2.5); ONE(erfc, -3, -0.5, 0.3, 0.95, 2.5, 8);
  ONE(tgamma, 0.5, 1, 4, 10.1, -1.5, 30); ONE(lgamma, 0.5, 1, 4.2, 10.1, -1.5, 1000);
  ONE(j0, 0.5, 5, 30); ONE(j1, 0.5, 5, 30); ONE(y0, 0.5, 5, 30); ONE(y1, 0.5, 5, 30);
  printf("jn yn: %.11g %.11g %.11g %.11g\n", jn(3, 2.5), jn(20, 10.0), yn(3, 2.5), yn(5, 20.0));
  for (int x = -2; x <= 2; x++)
    for (int y = -2; y <= 2; y++) printf("%.13g %.13g %.6g|", atan2(y, x), hypot(x, y), (double)atan2f(y, x));
  printf("\n");
  static const double bases[] = {0, 0.5, 1, 2, 10, INFINITY, -0.0, -1, -2, -INFINITY}, powers[] = {0, 0.5, 1, -1, 3, -3, 2, INFINITY, -INFINITY};
  for (unsigned i = 0; i < 10; i++) {
    for (unsigned k = 0; k < 9; k++) {
      double result = pow(bases[i], powers[k]);
      printf("%.13g ", result == result ? result : 99);
    }
    printf("\n");
  }
  double s, c;
  sincos(1.25, &s, &c);
  printf("%.13g %.13g %.13g %d\n", s, c, exp10(2.5), (lgamma(-0.5), signgam));
  ERROR(log(zero)), ERROR(log(negative)), ERROR(sqrt(negative)), ERROR(exp(large)), ERROR(exp(-large)), ERROR(pow(negative, 0.5));
  ERROR(pow(zero, -one)), ERROR(acos(two)), ERROR(fmod(one, zero)), ERROR(tgamma(-one)), ERROR(lgamma(-one)), ERROR(atanh(one));
  ERROR(acosh(zero)), ERROR(sin(infinity)), ERROR(sin(one)), ERROR(ldexp(one, 5000)), ERROR(cosh(large)), ERROR(log1p(-one));
}
