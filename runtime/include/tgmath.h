/* <tgmath.h>: one name for the float, double and long double versions, real and complex.

   A _Generic selection needs one controlling type. __rz_tg_type maps an argument to a zero of the type that it counts as
   (integers count as double); the sum of those zeros has the type that the function is to be called with. */
#ifndef _TGMATH_H
#define _TGMATH_H

#include <complex.h>
#include <math.h>

#define __rz_tg_type(x) \
  _Generic((x), float: 0.0f, long double: 0.0L, float _Complex: (float _Complex)0, double _Complex: (double _Complex)0, \
           long double _Complex: (long double _Complex)0, default: 0.0)

#define __rz_tg_real(name, type) _Generic((type), float: name##f, long double: name##l, default: name)
#define __rz_tg_any(name, complex_name, type) \
  _Generic((type), float: name##f, long double: name##l, float _Complex: complex_name##f, double _Complex: complex_name, \
           long double _Complex: complex_name##l, default: name)

#define __rz_tg_real1(name, x) __rz_tg_real(name, __rz_tg_type(x))(x)
#define __rz_tg_real2(name, x, y) __rz_tg_real(name, __rz_tg_type(x) + __rz_tg_type(y))(x, y)
#define __rz_tg_any1(name, x) __rz_tg_any(name, c##name, __rz_tg_type(x))(x)
#define __rz_tg_complex1(name, x) \
  _Generic(__rz_tg_type(x), float: name##f, float _Complex: name##f, long double: name##l, long double _Complex: name##l, \
           default: name)(x)

#undef acos
#define acos(x) __rz_tg_any1(acos, x)
#undef asin
#define asin(x) __rz_tg_any1(asin, x)
#undef atan
#define atan(x) __rz_tg_any1(atan, x)
#undef acosh
#define acosh(x) __rz_tg_any1(acosh, x)
#undef asinh
#define asinh(x) __rz_tg_any1(asinh, x)
#undef atanh
#define atanh(x) __rz_tg_any1(atanh, x)
#undef cos
#define cos(x) __rz_tg_any1(cos, x)
#undef sin
#define sin(x) __rz_tg_any1(sin, x)
#undef tan
#define tan(x) __rz_tg_any1(tan, x)
#undef cosh
#define cosh(x) __rz_tg_any1(cosh, x)
#undef sinh
#define sinh(x) __rz_tg_any1(sinh, x)
#undef tanh
#define tanh(x) __rz_tg_any1(tanh, x)
#undef exp
#define exp(x) __rz_tg_any1(exp, x)
#undef log
#define log(x) __rz_tg_any1(log, x)
#undef sqrt
#define sqrt(x) __rz_tg_any1(sqrt, x)
#undef fabs
#define fabs(x) __rz_tg_any(fabs, cabs, __rz_tg_type(x))(x)
#undef pow
#define pow(x, y) __rz_tg_any(pow, cpow, __rz_tg_type(x) + __rz_tg_type(y))(x, y)
#undef cbrt
#define cbrt(x) __rz_tg_real1(cbrt, x)
#undef ceil
#define ceil(x) __rz_tg_real1(ceil, x)
#undef erf
#define erf(x) __rz_tg_real1(erf, x)
#undef erfc
#define erfc(x) __rz_tg_real1(erfc, x)
#undef exp2
#define exp2(x) __rz_tg_real1(exp2, x)
#undef expm1
#define expm1(x) __rz_tg_real1(expm1, x)
#undef floor
#define floor(x) __rz_tg_real1(floor, x)
#undef ilogb
#define ilogb(x) __rz_tg_real1(ilogb, x)
#undef lgamma
#define lgamma(x) __rz_tg_real1(lgamma, x)
#undef llrint
#define llrint(x) __rz_tg_real1(llrint, x)
#undef llround
#define llround(x) __rz_tg_real1(llround, x)
#undef log10
#define log10(x) __rz_tg_real1(log10, x)
#undef log1p
#define log1p(x) __rz_tg_real1(log1p, x)
#undef log2
#define log2(x) __rz_tg_real1(log2, x)
#undef logb
#define logb(x) __rz_tg_real1(logb, x)
#undef lrint
#define lrint(x) __rz_tg_real1(lrint, x)
#undef lround
#define lround(x) __rz_tg_real1(lround, x)
#undef nearbyint
#define nearbyint(x) __rz_tg_real1(nearbyint, x)
#undef rint
#define rint(x) __rz_tg_real1(rint, x)
#undef round
#define round(x) __rz_tg_real1(round, x)
#undef tgamma
#define tgamma(x) __rz_tg_real1(tgamma, x)
#undef trunc
#define trunc(x) __rz_tg_real1(trunc, x)
#undef atan2
#define atan2(x, y) __rz_tg_real2(atan2, x, y)
#undef copysign
#define copysign(x, y) __rz_tg_real2(copysign, x, y)
#undef fdim
#define fdim(x, y) __rz_tg_real2(fdim, x, y)
#undef fmax
#define fmax(x, y) __rz_tg_real2(fmax, x, y)
#undef fmin
#define fmin(x, y) __rz_tg_real2(fmin, x, y)
#undef fmod
#define fmod(x, y) __rz_tg_real2(fmod, x, y)
#undef hypot
#define hypot(x, y) __rz_tg_real2(hypot, x, y)
#undef nextafter
#define nextafter(x, y) __rz_tg_real2(nextafter, x, y)
#undef remainder
#define remainder(x, y) __rz_tg_real2(remainder, x, y)
#undef frexp
#define frexp(x, exponent) __rz_tg_real(frexp, __rz_tg_type(x))(x, exponent)
#undef ldexp
#define ldexp(x, exponent) __rz_tg_real(ldexp, __rz_tg_type(x))(x, exponent)
#undef scalbn
#define scalbn(x, exponent) __rz_tg_real(scalbn, __rz_tg_type(x))(x, exponent)
#undef scalbln
#define scalbln(x, exponent) __rz_tg_real(scalbln, __rz_tg_type(x))(x, exponent)
#undef nexttoward
#define nexttoward(x, y) __rz_tg_real(nexttoward, __rz_tg_type(x))(x, y)
#undef fma
#define fma(x, y, z) __rz_tg_real(fma, __rz_tg_type(x) + __rz_tg_type(y) + __rz_tg_type(z))(x, y, z)
#undef remquo
#define remquo(x, y, quotient) __rz_tg_real(remquo, __rz_tg_type(x) + __rz_tg_type(y))(x, y, quotient)
#undef carg
#define carg(x) __rz_tg_complex1(carg, x)
#undef cimag
#define cimag(x) __rz_tg_complex1(cimag, x)
#undef conj
#define conj(x) __rz_tg_complex1(conj, x)
#undef cproj
#define cproj(x) __rz_tg_complex1(cproj, x)
#undef creal
#define creal(x) __rz_tg_complex1(creal, x)

#endif
