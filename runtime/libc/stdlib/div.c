/* div, ldiv, lldiv, imaxdiv */
#include <inttypes.h>
#include <stdlib.h>

div_t div(int numerator, int denominator) { return (div_t){numerator / denominator, numerator % denominator}; }

ldiv_t ldiv(long numerator, long denominator) { return (ldiv_t){numerator / denominator, numerator % denominator}; }

lldiv_t lldiv(long long numerator, long long denominator) {
  return (lldiv_t){numerator / denominator, numerator % denominator};
}

imaxdiv_t imaxdiv(intmax_t numerator, intmax_t denominator) {
  return (imaxdiv_t){numerator / denominator, numerator % denominator};
}
