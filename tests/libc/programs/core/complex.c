/* <complex.h> to 12 digits */
#include <complex.h>
#include <math.h>
#include <stdio.h>

static const double complex arguments[] = {0.5 + 0.25 * I, -1.5 + 2 * I, 3 - 0.125 * I, -0.75 - 0.5 * I, 20 + 1 * I, 0.001 - 30 * I};

#define ONE(name) \
  printf("%s:", #name); \
  for (int i = 0; i < 6; i++) { \
    double complex w = name(arguments[i]); \
    float complex v = name##f((float complex)arguments[i]); \
    long double complex u = name##l(arguments[i]); \
    printf(" (%.12g %.12g %.4g %.4g %.12Lg %.12Lg)", creal(w), cimag(w), crealf(v), cimagf(v), creall(u), cimagl(u)); \
  } \
  printf("\n");

int main(void) {
  ONE(csqrt) ONE(cexp) ONE(clog) ONE(csin) ONE(ccos) ONE(ctan) ONE(casin) ONE(cacos) ONE(catan)
  ONE(csinh) ONE(ccosh) ONE(ctanh) ONE(casinh) ONE(cacosh) ONE(catanh) ONE(conj) ONE(cproj)
  for (int i = 0; i < 6; i++) {
    double complex z = arguments[i], w = arguments[(i + 2) % 6], p = z * w, q = z / w, r = cpow(z, 2.5);
    printf("%.12g %.12g %.12g %.12g %.10g %.10g %.12g %.12g\n", creal(p), cimag(p), creal(q), cimag(q), creal(r), cimag(r), cabs(z), carg(z));
    long double complex lp = (long double complex)z * w, lq = (long double complex)z / w;
    float complex fp = (float complex)z * (float complex)w;
    printf("%.12Lg %.12Lg %.12Lg %.12Lg %.5g %.5g\n", creall(lp), cimagl(lp), creall(lq), cimagl(lq), crealf(fp), cimagf(fp));
  }
  double complex z = CMPLX(INFINITY, 1) * CMPLX(1, 2);
  printf("%d %d\n", isinf(creal(z)) || isinf(cimag(z)), isinf(creal(cproj(z))));
}
