/*
 * Sets errno as <math.h> requires (math_errhandling is MATH_ERRNO): EDOM for a NaN that does not
 * come from an argument, ERANGE for an infinity or a zero that is not the exact result. Each
 * function returns the result.
 */
#ifndef RZ_MATH_ERRORS_H
#define RZ_MATH_ERRORS_H

#include <errno.h>

static inline double __rz_check_domain(double result, double x) {
  if (result != result && x == x) errno = EDOM;
  return result;
}

/* For a function whose result is infinite for a finite argument only by overflow or at a pole. */
static inline double __rz_check_overflow(double result, double x) {
  if (__builtin_isinf(result) && __builtin_isfinite(x)) errno = ERANGE;
  return result;
}

/* For a function that is never zero where x is finite. */
static inline double __rz_check_underflow(double result, double x) {
  if (result == 0 && __builtin_isfinite(x)) errno = ERANGE;
  return result;
}

#endif
