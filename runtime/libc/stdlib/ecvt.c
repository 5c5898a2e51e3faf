/*
 * ecvt, fcvt, gcvt: the digits of a number, without a point. Those that begin with q take a long
 * double, those that end with _r write to the caller's buffer.
 *
 * As in glibc, more digits than a number can have (17, or 21 for long double) are not computed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 17
#define LONG_DIGITS 21
/* Digits before the point of the largest long double, a sign, a point, and the end. */
#define LONGEST (4932 + LONG_DIGITS + 4)

struct number {
  char digits[LONGEST];
  int point; /* before this digit; it may be negative, or behind the last */
  int is_negative;
};

/* Copies what fits, as glibc does, and fails if something does not. */
static int deliver(const struct number *number, int *point, int *sign, char *buffer, size_t size) {
  *point = number->point;
  *sign = number->is_negative;
  const size_t length = strlen(number->digits);
  if (length >= size) return -1;
  memcpy(buffer, number->digits, length + 1);
  return 0;
}

/* The digits of infinities and NaN are their names, with the sign. */
static int is_special(long double value, struct number *number) {
  number->is_negative = isfinite(value) && signbit(value);
  if (isfinite(value)) return 0;
  snprintf(number->digits, LONGEST, "%Lf", value);
  number->point = 0;
  return 1;
}

/* `count` digits in all. */
static void round_all(long double value, int count, struct number *number) {
  char text[LONGEST];
  if (is_special(value, number)) return;
  snprintf(text, sizeof text, "%.*Le", (count > 0 ? count : DIGITS) - 1, fabsl(value));
  const char *exponent = strchr(text, 'e');
  size_t at = 0;
  for (const char *digit = text; count > 0 && digit < exponent; digit++)
    if (*digit != '.') number->digits[at++] = *digit;
  number->digits[at] = 0;
  number->point = value == 0 ? 1 : atoi(exponent + 1) + 1;
}

/*
 * `count` digits after the point; if it is negative, as many before the point are zero. Leading
 * zeroes of a fraction are not written.
 */
static void round_fraction(long double value, int count, struct number *number) {
  char text[LONGEST];
  int left = 0;
  if (is_special(value, number)) return;
  for (value = fabsl(value); left < -count && value >= 10; left++) value /= 10;
  snprintf(text, sizeof text, "%.*Lf", count > 0 ? count : 0, value);
  size_t at = 0;
  for (const char *digit = text; *digit; digit++)
    if (*digit != '.') number->digits[at++] = *digit;
  number->point = (int)strcspn(text, ".") + left;
  while (left-- > 0) number->digits[at++] = '0';
  number->digits[at] = 0;
  if (text[0] != '0' || value == 0 || at == 1) return;
  const size_t zeroes = strspn(number->digits, "0");
  memmove(number->digits, number->digits + zeroes, at - zeroes + 1);
  number->point = 1 - (int)zeroes;
}

static int least(int a, int b) { return a < b ? a : b; }

int ecvt_r(double value, int count, int *restrict point, int *restrict sign, char *restrict buffer, size_t size) {
  struct number number;
  round_all(value, least(count, DIGITS), &number);
  return deliver(&number, point, sign, buffer, size);
}

int fcvt_r(double value, int count, int *restrict point, int *restrict sign, char *restrict buffer, size_t size) {
  struct number number;
  round_fraction(value, least(count, DIGITS), &number);
  return deliver(&number, point, sign, buffer, size);
}

int qecvt_r(long double value, int count, int *restrict point, int *restrict sign, char *restrict buffer, size_t size) {
  struct number number;
  round_all(value, least(count, LONG_DIGITS), &number);
  return deliver(&number, point, sign, buffer, size);
}

int qfcvt_r(long double value, int count, int *restrict point, int *restrict sign, char *restrict buffer, size_t size) {
  struct number number;
  round_fraction(value, least(count, LONG_DIGITS), &number);
  return deliver(&number, point, sign, buffer, size);
}

/* What the functions without a buffer of the caller return: valid until the next call. */
static char kept[LONGEST];

char *ecvt(double value, int count, int *point, int *sign) {
  ecvt_r(value, count, point, sign, kept, sizeof kept);
  return kept;
}

char *fcvt(double value, int count, int *point, int *sign) {
  fcvt_r(value, count, point, sign, kept, sizeof kept);
  return kept;
}

char *qecvt(long double value, int count, int *point, int *sign) {
  qecvt_r(value, count, point, sign, kept, sizeof kept);
  return kept;
}

char *qfcvt(long double value, int count, int *point, int *sign) {
  qfcvt_r(value, count, point, sign, kept, sizeof kept);
  return kept;
}

char *gcvt(double value, int count, char *buffer) {
  sprintf(buffer, "%.*g", least(count, DIGITS), value);
  return buffer;
}

char *qgcvt(long double value, int count, char *buffer) {
  sprintf(buffer, "%.*Lg", least(count, LONG_DIGITS), value);
  return buffer;
}
