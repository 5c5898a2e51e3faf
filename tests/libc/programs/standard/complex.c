/* <complex.h>: every function in three precisions, 10 digits. */
#include <complex.h>
#include <stdio.h>

static void show(double complex z) { printf(" (%.9g,%.9g)", creal(z) + 0.0, cimag(z) + 0.0); }

static const double parts[][2] = {{0.5, 0.25}, {-1.5, 2}, {3, -0.5}, {-0.75, -1.25}};

#define ONE(name)                                                                               \
  do {                                                                                       \
    printf("%s:", #name);                                                                       \
    for (int i = 0; i < 4; i++) show(name(CMPLX(parts[i][0], parts[i][1])));                    \
    const float complex single = name##f(CMPLXF(0.5f, 0.25f));                                  \
    printf(" (%.4g,%.4g)", (double)crealf(single), (double)cimagf(single));                  \
    show((double complex)name##l(CMPLXL(0.5L, 0.25L)));                                         \
    printf("\n");                                                                            \
  } while (0)

#define REAL(name)                                                                                     \
  do {                                                                                              \
    printf("%s:", #name);                                                                              \
    for (int i = 0; i < 4; i++) printf(" %.9g", name(CMPLX(parts[i][0], parts[i][1])));                \
    printf(" %.4g %.9g\n", (double)name##f(CMPLXF(0.5f, 0.25f)), (double)name##l(CMPLXL(0.5L, 0.25L)));    \
  } while (0)

int main(void) {
  ONE(cacos); ONE(casin); ONE(catan); ONE(ccos); ONE(csin); ONE(ctan);
  ONE(cacosh); ONE(casinh); ONE(catanh); ONE(ccosh); ONE(csinh); ONE(ctanh);
  ONE(cexp); ONE(clog); ONE(csqrt); ONE(conj); ONE(cproj);
  REAL(cabs); REAL(carg); REAL(cimag); REAL(creal);
  printf("cpow:");
  for (int i = 0; i < 4; i++) show(cpow(CMPLX(parts[i][0], parts[i][1]), CMPLX(1.5, -0.5)));
  show((double complex)cpowf(CMPLXF(2, 0), CMPLXF(3, 0)));
  show((double complex)cpowl(CMPLXL(2, 0), CMPLXL(3, 0)));
  printf("\n");
  double complex z = 1 + 2 * I;
  show(z * z);
  show(z / (3 - I));
  show(z - conj(z));
  printf(" %d\n", z == 1 + 2 * I);
  return 0;
}
