/*
 * The functions of <math.h> that TS 18661 and C23 add: roundeven, nextup, nextdown, llogb,
 * canonicalize, and the maximum and minimum of IEEE 754-2019, which order -0 below +0. For those
 * with _num a NaN counts as missing data; those with _mag compare absolute values.
 */
#define _GNU_SOURCE
#include <math.h>

#define DEFINE(type, s) \
  type roundeven##s(type x) { return rint##s(x); } \
  type nextup##s(type x) { return nextafter##s(x, INFINITY); } \
  type nextdown##s(type x) { return nextafter##s(x, -INFINITY); } \
  long llogb##s(type x) { \
    if (x == 0) return FP_LLOGB0; \
    if (isnan(x)) return FP_LLOGBNAN; \
    return isinf(x) ? __LONG_MAX__ : ilogb##s(x); \
  } \
  int canonicalize##s(type *result, const type *x) { \
    *result = *x; \
    return 0; \
  } \
  type fmaximum##s(type x, type y) { return isnan(x) || isnan(y) ? x + y : fmax##s(x, y); } \
  type fminimum##s(type x, type y) { return isnan(x) || isnan(y) ? x + y : fmin##s(x, y); } \
  type fmaximum_num##s(type x, type y) { return fmax##s(x, y); } \
  type fminimum_num##s(type x, type y) { return fmin##s(x, y); } \
  type fmaximum_mag##s(type x, type y) { \
    return fabs##s(x) > fabs##s(y) ? x : fabs##s(x) < fabs##s(y) ? y : fmaximum##s(x, y); \
  } \
  type fminimum_mag##s(type x, type y) { \
    return fabs##s(x) < fabs##s(y) ? x : fabs##s(x) > fabs##s(y) ? y : fminimum##s(x, y); \
  } \
  type fmaximum_mag_num##s(type x, type y) { \
    return fabs##s(x) > fabs##s(y) ? x : fabs##s(x) < fabs##s(y) ? y : fmax##s(x, y); \
  } \
  type fminimum_mag_num##s(type x, type y) { \
    return fabs##s(x) < fabs##s(y) ? x : fabs##s(x) > fabs##s(y) ? y : fmin##s(x, y); \
  }

DEFINE(double, )
DEFINE(float, f)
DEFINE(long double, l)
