/* localeconv: the C locale writes numbers with a point and knows no currency. */
#include <limits.h>
#include <locale.h>

struct lconv *localeconv(void) {
  static char point[] = ".", nothing[] = "";
  static struct lconv conventions = {
      .decimal_point = point,
      .thousands_sep = nothing,
      .grouping = nothing,
      .int_curr_symbol = nothing,
      .currency_symbol = nothing,
      .mon_decimal_point = nothing,
      .mon_thousands_sep = nothing,
      .mon_grouping = nothing,
      .positive_sign = nothing,
      .negative_sign = nothing,
      .int_frac_digits = CHAR_MAX,
      .frac_digits = CHAR_MAX,
      .p_cs_precedes = CHAR_MAX,
      .p_sep_by_space = CHAR_MAX,
      .n_cs_precedes = CHAR_MAX,
      .n_sep_by_space = CHAR_MAX,
      .p_sign_posn = CHAR_MAX,
      .n_sign_posn = CHAR_MAX,
      .int_p_cs_precedes = CHAR_MAX,
      .int_p_sep_by_space = CHAR_MAX,
      .int_n_cs_precedes = CHAR_MAX,
      .int_n_sep_by_space = CHAR_MAX,
      .int_p_sign_posn = CHAR_MAX,
      .int_n_sign_posn = CHAR_MAX,
  };
  return &conventions;
}
