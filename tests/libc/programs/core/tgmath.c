/* <tgmath.h>: the type of the result tells which function was called */
#include <stdio.h>
#include <tgmath.h>

#define TYPE(x) _Generic((x), float: "float", double: "double", long double: "long double", float complex: "float complex", \
                         double complex: "double complex", long double complex: "long double complex", default: "?")

int main(void) {
  float f = 0.5f;
  double d = 0.5;
  long double l = 0.5L;
  float complex fc = 0.5f;
  double complex dc = 0.5;
  int i = 1, n;
  puts(TYPE(sin(f))), puts(TYPE(sin(d))), puts(TYPE(sin(l))), puts(TYPE(sin(fc))), puts(TYPE(sin(dc))), puts(TYPE(sin(i)));
  puts(TYPE(pow(f, f))), puts(TYPE(pow(f, d))), puts(TYPE(pow(f, i))), puts(TYPE(pow(f, l))), puts(TYPE(pow(f, dc)));
  puts(TYPE(fabs(fc))), puts(TYPE(fabs(d))), puts(TYPE(fmax(f, i))), puts(TYPE(fma(f, f, l))), puts(TYPE(ldexp(f, 3)));
  puts(TYPE(frexp(l, &n))), puts(TYPE(creal(fc))), puts(TYPE(conj(d))), puts(TYPE(remquo(f, f, &n)));
  printf("%.10g %.5g %.10g %ld %.10g\n", sqrt(d), sqrt(f), cbrt(2), lround(2.5f), carg(dc - 1));
}
