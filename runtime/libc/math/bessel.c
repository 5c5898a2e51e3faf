/*
 * The Bessel functions j0, j1, jn, y0, y1, yn, in long double and rounded at the end.
 *
 * Up to x = 26 their power series are summed: terms as large as e^x cancel there, which costs 38
 * bits of 113. Beyond, the asymptotic series of Hankel has an error of e^(-2x), and both errors are
 * 10^-23 at the border. Orders above 1 follow by the recurrence f(n + 1) = 2n/x f(n) - f(n - 1):
 * upwards for y, and for j as long as n < x; above that it is run downwards from far enough
 * (Miller's algorithm) and scaled by the known j0 or j1.
 */
#include <errno.h>
#include <math.h>

#define BORDER 26
#define EULER 0.577215664901532860606512090082402431L

typedef struct {
  long double j, y;
} Pair;

/* Both functions of order n, 0 or 1, for 0 < x < BORDER, from the series in q = x²/4. */
static Pair power_series(int n, long double x) {
  long double q = x * x / 4, term = n == 0 ? 1 : x / 2, harmonic = n == 0 ? 0 : 1, j = 0, sum = 0;
  for (int k = 0; k < 90; k++) {
    if (k > 0) {
      term *= -q / (k * (long double)(k + n));
      harmonic += 1 / (long double)k + (n == 1 ? 1 / (long double)(k + 1) : 0);
    }
    j += term;
    sum += term * harmonic; /* order 0: H(k); order 1: H(k) + H(k + 1) */
  }
  long double logarithm = logl(x / 2) + EULER;
  Pair result = {j, 0};
  if (n == 0)
    result.y = M_2_PIl * (logarithm * j - sum);
  else
    result.y = M_2_PIl * (logarithm * j - 1 / x) - M_1_PIl * sum;
  return result;
}

/* The same for x >= BORDER: sqrt(2 / (pi x)) (P cos(c) -+ Q sin(c)), c = x - (n / 2 + 1 / 4) pi. */
static Pair asymptotic_series(int n, long double x) {
  long double p = 0, q = 0, term = 1, previous = 2;
  for (int k = 0; k < 200 && fabsl(term) < previous; k++) {
    int sign = k & 2 ? -1 : 1;
    if (k & 1)
      q += sign * term;
    else
      p += sign * term;
    previous = fabsl(term);
    long double odd = 2 * k + 1;
    term *= (4 * n * n - odd * odd) / (8 * (k + 1) * x);
  }
  long double s, c, cosine, sine;
  sincosl(x, &s, &c);
  if (n == 0)
    cosine = (c + s) * M_SQRT1_2l, sine = (s - c) * M_SQRT1_2l;
  else
    cosine = (s - c) * M_SQRT1_2l, sine = -(s + c) * M_SQRT1_2l;
  long double scale = sqrtl(M_2_PIl / x);
  return (Pair){scale * (p * cosine - q * sine), scale * (p * sine + q * cosine)};
}

static Pair orders_0_and_1(int n, long double x) { return x < BORDER ? power_series(n, x) : asymptotic_series(n, x); }

/* j of order n >= 2 for x > 0 */
static long double high_order_j(int n, long double x) {
  long double j0 = orders_0_and_1(0, x).j, j1 = orders_0_and_1(1, x).j;
  if (n < x) {
    for (int k = 1; k < n; k++) {
      long double next = 2 * k / x * j1 - j0;
      j0 = j1;
      j1 = next;
    }
    return j1;
  }
  /* Where (ex/2n)^n is below the smallest number, so is the result. */
  if (n * (logl(2 * (long double)n / x) - 1) > 11500) return 0;
  int start = n + 40 + (int)sqrtl(60 * (long double)n);
  long double above = 0, here = 0x1p-8000L, wanted = 0;
  for (int k = start; k > 0; k--) {
    long double below = 2 * k / x * here - above;
    above = here;
    here = below;
    if (k - 1 == n) wanted = here;
    if (fabsl(here) > 0x1p8000L) {
      here = scalbnl(here, -12000);
      above = scalbnl(above, -12000);
      wanted = scalbnl(wanted, -12000);
    }
  }
  /* `here` stands for order 0 and `above` for order 1: the larger one is the safer measure. */
  return fabsl(j0) > fabsl(j1) ? wanted * (j0 / here) : wanted * (j1 / above);
}

long double jnl(int n, long double x) {
  if (isnan(x)) return x;
  int negative = 0;
  if (n < 0) { /* J(-n, x) = J(n, -x) */
    n = -n;
    x = -x;
  }
  if (x < 0) {
    x = -x;
    negative = n & 1;
  }
  if (isinf(x)) return 0;
  if (x == 0) return n == 0 ? 1 : 0;
  long double result = n < 2 ? orders_0_and_1(n, x).j : high_order_j(n, x);
  return negative ? -result : result;
}

long double ynl(int n, long double x) {
  if (isnan(x)) return x;
  int negative = n < 0 && (n & 1);
  if (n < 0) n = -n;
  if (x <= 0) {
    errno = x == 0 ? ERANGE : EDOM;
    return x == 0 ? (negative ? INFINITY : -INFINITY) : NAN;
  }
  if (isinf(x)) return 0;
  long double previous = orders_0_and_1(0, x).y, result = n == 0 ? previous : orders_0_and_1(1, x).y;
  for (int k = 1; k < n && isfinite(result); k++) {
    long double next = 2 * k / x * result - previous;
    previous = result;
    result = next;
  }
  return negative ? -result : result;
}

static double checked(long double result) {
  double rounded = (double)result;
  if (isfinite(result) && isinf(rounded)) errno = ERANGE;
  return rounded;
}

double jn(int n, double x) { return checked(jnl(n, x)); }
float jnf(int n, float x) { return (float)jn(n, x); }
double j0(double x) { return jn(0, x); }
float j0f(float x) { return (float)jn(0, x); }
long double j0l(long double x) { return jnl(0, x); }
double j1(double x) { return jn(1, x); }
float j1f(float x) { return (float)jn(1, x); }
long double j1l(long double x) { return jnl(1, x); }
double yn(int n, double x) { return checked(ynl(n, x)); }
float ynf(int n, float x) { return (float)yn(n, x); }
double y0(double x) { return yn(0, x); }
float y0f(float x) { return (float)yn(0, x); }
long double y0l(long double x) { return ynl(0, x); }
double y1(double x) { return yn(1, x); }
float y1f(float x) { return (float)yn(1, x); }
long double y1l(long double x) { return ynl(1, x); }
