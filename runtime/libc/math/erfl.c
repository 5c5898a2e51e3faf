/*
 * erf and erfc for long double, to its full 113 bits.
 *
 *     |x| < 0.5    erf(x) = 2/sqrt(pi) e^(-x²) (x + 2x³/3 + 4x⁵/(3·5) + 8x⁷/(3·5·7) + …)
 *     x >= 0.5     erfc(x) = 2x e^(-x²)/pi · the integral of e^(-t²)/(x² + t²) over t >= 0
 *
 * In the series nothing cancels. The integral is computed by the trapezoidal rule, as Chiarella and
 * Reichel (1968) found: for an entire integrand its error falls as e^(-pi²/h²), so h = 1/3 and 27
 * terms give 120 bits. The poles at t = ±ix add 2/(1 - e^(2 pi x/h)) as long as they are nearer
 * than pi/h.
 *
 * e^(-x²) is e^(-z²) e^((z - x)(z + x)) with z the upper half of the bits of x, whose square is
 * exact.
 */
#include <errno.h>
#include <math.h>

#include "floating.h"

#define STEPS_PER_UNIT 3 /* 1/h */
#define SERIES_TERMS 34

/* e^(-n² h²) for n = 1, 2, … */
static const long double weights[] = {
    0.8948393168143697745814395432704087502L, 0.6411803884299545822515204791312044826L,
    0.3678794411714423215955237701614608674L, 0.1690133154060660767425054254585903999L,
    0.06217652402211631149486846933138124186L, 0.01831563888873418029371802127324124221L,
    4.320239474094066625407013068120638743e-3L, 8.159878350721479550139514021871121621e-4L,
    1.234098040866795494976366907300338261e-4L, 1.494533852478144555896680477047976186e-5L,
    1.449278887147761307185448727835712440e-6L, 1.125351747192591145137751790601271916e-7L,
    6.997045994265070574005072676866870183e-9L, 3.483624072895636073509517664079641719e-10L,
    1.388794386496402059466176374608685691e-11L, 4.433377746328038867873272195284245664e-13L,
    1.133239324797551026713917168134578423e-14L, 2.319522830243569388312263609738080041e-16L,
    3.801594419390546174357450439971445053e-18L, 4.989109392795010672038631313706387042e-20L,
    5.242885663363463937171805302832343672e-22L, 4.411719196996005185072720098404513170e-24L,
    2.972593012420697978268994150920372368e-26L, 1.603810890548637852976087034142335381e-28L,
    6.928847118330183847622826335385504787e-31L, 2.396949668898059569764999085523298685e-33L,
    6.639677199580734400702255270428292424e-36L,
};

static long double upper_half(long double x) {
  return (long double)__rz_quad_from(__rz_quad_bits(x) & ~(((__rz_u128)1 << 57) - 1));
}

static long double exp_of_minus_square(long double x) {
  long double z = upper_half(x), main = expl(-z * z);
  return main + main * expm1l((z - x) * (z + x));
}

/* |x| <= 0.5 */
static long double small_erf(long double x) {
  long double square = x * x, sum = 0;
  for (int n = SERIES_TERMS; n > 0; n--) sum = 2 * square / (2 * n + 1) * (1 + sum);
  return M_2_SQRTPIl * expl(-square) * (x + x * sum);
}

/* x >= 0.5 */
static long double large_erfc(long double x) {
  long double square = x * x, sum = 0;
  for (int n = (int)(sizeof weights / sizeof *weights); n > 0; n--)
    sum += weights[n - 1] / (square + (long double)(n * n) / (STEPS_PER_UNIT * STEPS_PER_UNIT));
  sum = 2 * x / STEPS_PER_UNIT * (sum + 0.5L / square) * exp_of_minus_square(x) / M_PIl;
  return x < M_PIl * STEPS_PER_UNIT ? sum + 2 / (1 - expl(2 * M_PIl * STEPS_PER_UNIT * x)) : sum;
}

long double erfl(long double x) {
  long double a = fabsl(x);
  if (x == 0 || isnan(x)) return x;
  if (a < 0x1p-60L) return M_2_SQRTPIl * x;
  if (a < 0.5L) return small_erf(x);
  return copysignl(a < 9 ? 1 - large_erfc(a) : 1, x);
}

long double erfcl(long double x) {
  if (isnan(x)) return x;
  if (x < 0.5L) return x > -0.5L ? 1 - erfl(x) : x > -9 ? 2 - large_erfc(-x) : 2;
  long double result = x < 108 ? large_erfc(x) : 0;
  if (result == 0 && !isinf(x)) errno = ERANGE;
  return result;
}
