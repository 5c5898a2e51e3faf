/*
 * <math.h>: C11, the constants and functions of X/Open, and a few of GNU's. Errors are reported as
 * C11 allows: results are NaN or infinities and errno is set (math_errhandling is
 * MATH_ERRNO).
 */
#ifndef _MATH_H
#define _MATH_H

#include <bits/decls.h>

typedef float float_t;
typedef double double_t;

#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VALL __builtin_huge_vall()
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))

#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)

#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling MATH_ERRNO

#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)

double acos(double __x);
float acosf(float __x);
long double acosl(long double __x);
double asin(double __x);
float asinf(float __x);
long double asinl(long double __x);
double atan(double __x);
float atanf(float __x);
long double atanl(long double __x);
double cos(double __x);
float cosf(float __x);
long double cosl(long double __x);
double sin(double __x);
float sinf(float __x);
long double sinl(long double __x);
double tan(double __x);
float tanf(float __x);
long double tanl(long double __x);
double acosh(double __x);
float acoshf(float __x);
long double acoshl(long double __x);
double asinh(double __x);
float asinhf(float __x);
long double asinhl(long double __x);
double atanh(double __x);
float atanhf(float __x);
long double atanhl(long double __x);
double cosh(double __x);
float coshf(float __x);
long double coshl(long double __x);
double sinh(double __x);
float sinhf(float __x);
long double sinhl(long double __x);
double tanh(double __x);
float tanhf(float __x);
long double tanhl(long double __x);
double exp(double __x);
float expf(float __x);
long double expl(long double __x);
double exp2(double __x);
float exp2f(float __x);
long double exp2l(long double __x);
double expm1(double __x);
float expm1f(float __x);
long double expm1l(long double __x);
double log(double __x);
float logf(float __x);
long double logl(long double __x);
double log10(double __x);
float log10f(float __x);
long double log10l(long double __x);
double log1p(double __x);
float log1pf(float __x);
long double log1pl(long double __x);
double log2(double __x);
float log2f(float __x);
long double log2l(long double __x);
double logb(double __x);
float logbf(float __x);
long double logbl(long double __x);
double cbrt(double __x);
float cbrtf(float __x);
long double cbrtl(long double __x);
double fabs(double __x);
float fabsf(float __x);
long double fabsl(long double __x);
double sqrt(double __x);
float sqrtf(float __x);
long double sqrtl(long double __x);
double erf(double __x);
float erff(float __x);
long double erfl(long double __x);
double erfc(double __x);
float erfcf(float __x);
long double erfcl(long double __x);
double lgamma(double __x);
float lgammaf(float __x);
long double lgammal(long double __x);
double tgamma(double __x);
float tgammaf(float __x);
long double tgammal(long double __x);
double ceil(double __x);
float ceilf(float __x);
long double ceill(long double __x);
double floor(double __x);
float floorf(float __x);
long double floorl(long double __x);
double nearbyint(double __x);
float nearbyintf(float __x);
long double nearbyintl(long double __x);
double rint(double __x);
float rintf(float __x);
long double rintl(long double __x);
double round(double __x);
float roundf(float __x);
long double roundl(long double __x);
double trunc(double __x);
float truncf(float __x);
long double truncl(long double __x);
int ilogb(double __x);
int ilogbf(float __x);
int ilogbl(long double __x);
long lrint(double __x);
long lrintf(float __x);
long lrintl(long double __x);
long lround(double __x);
long lroundf(float __x);
long lroundl(long double __x);
long long llrint(double __x);
long long llrintf(float __x);
long long llrintl(long double __x);
long long llround(double __x);
long long llroundf(float __x);
long long llroundl(long double __x);
double atan2(double __y, double __x);
float atan2f(float __y, float __x);
long double atan2l(long double __y, long double __x);
double pow(double __x, double __y);
float powf(float __x, float __y);
long double powl(long double __x, long double __y);
double hypot(double __x, double __y);
float hypotf(float __x, float __y);
long double hypotl(long double __x, long double __y);
double fmod(double __x, double __y);
float fmodf(float __x, float __y);
long double fmodl(long double __x, long double __y);
double remainder(double __x, double __y);
float remainderf(float __x, float __y);
long double remainderl(long double __x, long double __y);
double copysign(double __x, double __y);
float copysignf(float __x, float __y);
long double copysignl(long double __x, long double __y);
double nextafter(double __x, double __y);
float nextafterf(float __x, float __y);
long double nextafterl(long double __x, long double __y);
double fdim(double __x, double __y);
float fdimf(float __x, float __y);
long double fdiml(long double __x, long double __y);
double fmax(double __x, double __y);
float fmaxf(float __x, float __y);
long double fmaxl(long double __x, long double __y);
double fmin(double __x, double __y);
float fminf(float __x, float __y);
long double fminl(long double __x, long double __y);
double nexttoward(double __x, long double __y);
float nexttowardf(float __x, long double __y);
long double nexttowardl(long double __x, long double __y);
double frexp(double __x, int *__exponent);
float frexpf(float __x, int *__exponent);
long double frexpl(long double __x, int *__exponent);
double ldexp(double __x, int __exponent);
float ldexpf(float __x, int __exponent);
long double ldexpl(long double __x, int __exponent);
double scalbn(double __x, int __exponent);
float scalbnf(float __x, int __exponent);
long double scalbnl(long double __x, int __exponent);
double scalbln(double __x, long __exponent);
float scalblnf(float __x, long __exponent);
long double scalblnl(long double __x, long __exponent);
double modf(double __x, double *__whole);
float modff(float __x, float *__whole);
long double modfl(long double __x, long double *__whole);
double remquo(double __x, double __y, int *__quotient);
float remquof(float __x, float __y, int *__quotient);
long double remquol(long double __x, long double __y, int *__quotient);
double fma(double __x, double __y, double __z);
float fmaf(float __x, float __y, float __z);
long double fmal(long double __x, long double __y, long double __z);
double nan(const char *__tag);
float nanf(const char *__tag);
long double nanl(const char *__tag);

/* X/Open and GNU. */
double j0(double __x);
float j0f(float __x);
long double j0l(long double __x);
double j1(double __x);
float j1f(float __x);
long double j1l(long double __x);
double y0(double __x);
float y0f(float __x);
long double y0l(long double __x);
double y1(double __x);
float y1f(float __x);
long double y1l(long double __x);
double exp10(double __x);
float exp10f(float __x);
long double exp10l(long double __x);
double gamma(double __x);
float gammaf(float __x);
long double gammal(long double __x);
double significand(double __x);
float significandf(float __x);
long double significandl(long double __x);
double jn(int __n, double __x);
float jnf(int __n, float __x);
long double jnl(int __n, long double __x);
double yn(int __n, double __x);
float ynf(int __n, float __x);
long double ynl(int __n, long double __x);
double drem(double __x, double __y);
float dremf(float __x, float __y);
long double dreml(long double __x, long double __y);
double scalb(double __x, double __y);
float scalbf(float __x, float __y);
long double scalbl(long double __x, long double __y);
double lgamma_r(double __x, int *__sign);
float lgammaf_r(float __x, int *__sign);
long double lgammal_r(long double __x, int *__sign);
void sincos(double __x, double *__sine, double *__cosine);
void sincosf(float __x, float *__sine, float *__cosine);
void sincosl(long double __x, long double *__sine, long double *__cosine);
int finite(double __x);
int finitef(float __x);
int finitel(long double __x);
extern int signgam;

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_El 2.718281828459045235360287471352662498L
#define M_LOG2El 1.442695040888963407359924681001892137L
#define M_LOG10El 0.434294481903251827651128918916605082L
#define M_LN2l 0.693147180559945309417232121458176568L
#define M_LN10l 2.302585092994045684017991454684364208L
#define M_PIl 3.141592653589793238462643383279502884L
#define M_PI_2l 1.570796326794896619231321691639751442L
#define M_PI_4l 0.785398163397448309615660845819875721L
#define M_1_PIl 0.318309886183790671537767526745028724L
#define M_2_PIl 0.636619772367581343075535053490057448L
#define M_2_SQRTPIl 1.128379167095512573896158903121545172L
#define M_SQRT2l 1.414213562373095048801688724209698079L
#define M_SQRT1_2l 0.707106781186547524400844362104849039L
#define MAXFLOAT 3.40282346638528859812e+38F

#if defined _GNU_SOURCE || defined __STDC_WANT_IEC_60559_BFP_EXT__ || __STDC_VERSION__ > 201710L
/* TS 18661 and C23: libc/math/c23.c. */
#define FP_LLOGB0 (-__LONG_MAX__ - 1)
#define FP_LLOGBNAN (-__LONG_MAX__ - 1)
double roundeven(double __x);
double nextup(double __x);
double nextdown(double __x);
long llogb(double __x);
int canonicalize(double *__result, const double *__x);
double fmaximum(double __x, double __y);
double fmaximum_num(double __x, double __y);
double fmaximum_mag(double __x, double __y);
double fmaximum_mag_num(double __x, double __y);
double fminimum(double __x, double __y);
double fminimum_num(double __x, double __y);
double fminimum_mag(double __x, double __y);
double fminimum_mag_num(double __x, double __y);
float roundevenf(float __x);
float nextupf(float __x);
float nextdownf(float __x);
long llogbf(float __x);
int canonicalizef(float *__result, const float *__x);
float fmaximumf(float __x, float __y);
float fmaximum_numf(float __x, float __y);
float fmaximum_magf(float __x, float __y);
float fmaximum_mag_numf(float __x, float __y);
float fminimumf(float __x, float __y);
float fminimum_numf(float __x, float __y);
float fminimum_magf(float __x, float __y);
float fminimum_mag_numf(float __x, float __y);
long double roundevenl(long double __x);
long double nextupl(long double __x);
long double nextdownl(long double __x);
long llogbl(long double __x);
int canonicalizel(long double *__result, const long double *__x);
long double fmaximuml(long double __x, long double __y);
long double fmaximum_numl(long double __x, long double __y);
long double fmaximum_magl(long double __x, long double __y);
long double fmaximum_mag_numl(long double __x, long double __y);
long double fminimuml(long double __x, long double __y);
long double fminimum_numl(long double __x, long double __y);
long double fminimum_magl(long double __x, long double __y);
long double fminimum_mag_numl(long double __x, long double __y);
#endif

#endif
