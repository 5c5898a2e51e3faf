/*
 * strverscmp: compares names as version numbers, so that "x9" < "x10", while digits after a
 * leading zero are a fraction: "x00" < "x0" < "x01" and "x010" < "x09" < "x0" < "x1".
 *
 * The strings agree up to i. The order is that of the runs of digits in which they differ, taken
 * from where the runs begin.
 */
#include <ctype.h>
#include <string.h>

static int is_digit_at(const char *text, size_t i) { return isdigit((unsigned char)text[i]); }

int strverscmp(const char *a, const char *b) {
  size_t i = 0, run = 0; /* `run`: the start of the run of digits that ends before i, or i itself */
  int fraction = 0;      /* the run so far begins with a zero */
  while (a[i] == b[i]) {
    if (a[i] == 0) return 0;
    if (is_digit_at(a, i)) {
      if (i == run) fraction = a[i] == '0';
      if (a[i] != '0' && i > run && fraction == 1) fraction = 2; /* other digits follow the leading zeros of a fraction */
    } else {
      run = i + 1;
      fraction = 0;
    }
    i++;
  }
  int bytes = (unsigned char)a[i] - (unsigned char)b[i];
  int a_digit = is_digit_at(a, i), b_digit = is_digit_at(b, i);
  if (i > run && fraction) {
    if (fraction == 1 && a_digit != b_digit) return a_digit ? -1 : 1; /* more digits after leading zeros are smaller */
    return bytes;
  }
  if (i == run) { /* the runs begin here; a fraction begins with '0', which is the smallest digit */
    if (!a_digit || !b_digit || a[i] == '0' || b[i] == '0') return bytes;
  } else if (!a_digit && !b_digit) {
    return bytes;
  }
  size_t a_end = i, b_end = i; /* integers: the longer one is larger */
  while (is_digit_at(a, a_end)) a_end++;
  while (is_digit_at(b, b_end)) b_end++;
  if (a_end != b_end) return a_end < b_end ? -1 : 1;
  return bytes;
}
