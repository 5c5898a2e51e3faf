/* <locale.h>: the C locale. */
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  printf("%s\n", setlocale(LC_ALL, NULL));
  printf("%s %s\n", setlocale(LC_ALL, "C"), setlocale(LC_NUMERIC, "C"));
  printf("%d\n", setlocale(LC_CTYPE, "no-such-locale") == NULL);
  const struct lconv *l = localeconv();
  printf("'%s' '%s' '%s'\n", l->decimal_point, l->thousands_sep, l->grouping);
  printf("'%s' '%s' '%s' '%s' '%s' '%s' '%s'\n", l->mon_decimal_point, l->mon_thousands_sep, l->mon_grouping,
         l->positive_sign, l->negative_sign, l->currency_symbol, l->int_curr_symbol);
  printf("%d %d %d %d %d\n", l->frac_digits == CHAR_MAX, l->int_frac_digits == CHAR_MAX, l->p_cs_precedes == CHAR_MAX,
         l->n_sep_by_space == CHAR_MAX, l->int_n_sign_posn == CHAR_MAX);
  const int categories[] = {LC_COLLATE, LC_CTYPE, LC_MONETARY, LC_NUMERIC, LC_TIME};
  for (int i = 0; i < 5; i++) printf("%s ", setlocale(categories[i], "POSIX") ? "known" : "unknown");
  printf("\n");
  return 0;
}
