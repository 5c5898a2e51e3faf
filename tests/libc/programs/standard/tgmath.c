/* <tgmath.h>: which function a type chooses shows in the size of its result. */
#include <stdio.h>
#include <tgmath.h>

#define SIZES(f) printf(#f " %zu %zu %zu\n", sizeof(f(1.0f)), sizeof(f(1.0)), sizeof(f(1)))
#define SIZES2(f) printf(#f " %zu %zu %zu\n", sizeof(f(1.0f, 1.0f)), sizeof(f(1.0, 1.0f)), sizeof(f(1, 2)))

int main(void) {
  SIZES(acos); SIZES(asin); SIZES(atan); SIZES(acosh); SIZES(asinh); SIZES(atanh); SIZES(cos); SIZES(sin); SIZES(tan);
  SIZES(cosh); SIZES(sinh); SIZES(tanh); SIZES(exp); SIZES(log); SIZES(sqrt); SIZES(fabs); SIZES(cbrt); SIZES(ceil);
  SIZES(erf); SIZES(erfc); SIZES(exp2); SIZES(expm1); SIZES(floor); SIZES(lgamma); SIZES(log10); SIZES(log1p); SIZES(log2);
  SIZES(logb); SIZES(nearbyint); SIZES(rint); SIZES(round); SIZES(tgamma); SIZES(trunc);
  SIZES2(pow); SIZES2(atan2); SIZES2(copysign); SIZES2(fdim); SIZES2(fmax); SIZES2(fmin); SIZES2(fmod); SIZES2(hypot);
  SIZES2(nextafter); SIZES2(remainder);
  printf("%zu %zu\n", sizeof(sqrt(1.0f + 0 * I)), sizeof(exp(1.0 + 0 * I)));
  printf("%.6g %.6g %.6g\n", sqrt(2.0), (double)sqrt(2.0f), creal(sqrt(-1.0 + 0 * I)));
  printf("%.6g %.6g %.6g\n", (double)pow(2.0f, 3), cabs(pow(1.0 * I, 2)), fabs(-3.0 + 4.0 * I));
  printf("%.6g %.6g %.6g %.6g\n", carg(1.0 + 1.0 * I), creal(conj(2.0 + 3.0 * I)), cimag(2.0 + 3.0 * I), creal(cproj(2.0 + 0 * I)));
  return 0;
}
