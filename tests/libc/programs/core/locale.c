/* <locale.h>, <langinfo.h> */
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  clearenv();
  printf("%s ", setlocale(LC_ALL, NULL)), printf("%s\n", nl_langinfo(CODESET));
  printf("%s ", setlocale(LC_ALL, "C.UTF-8")), printf("%s\n", nl_langinfo(CODESET));
  printf("%s ", setlocale(LC_NUMERIC, "POSIX")), printf("%d\n", setlocale(LC_ALL, "xx_YY") == NULL);
  char *saved = strdup(setlocale(LC_ALL, NULL));
  setlocale(LC_ALL, "C");
  printf("%s ", setlocale(LC_CTYPE, NULL));
  printf("%d ", setlocale(LC_ALL, saved) != NULL);
  printf("%s %s\n", setlocale(LC_CTYPE, NULL), setlocale(LC_NUMERIC, NULL));
  free(saved);
  setlocale(LC_ALL, ""), printf("%s\n", setlocale(LC_ALL, NULL));
  struct lconv *l = localeconv();
  printf("[%s][%s][%s][%s] %d\n", l->decimal_point, l->thousands_sep, l->grouping, l->currency_symbol, l->frac_digits == CHAR_MAX);
  printf("%s %s %s %s %s %s %s\n", nl_langinfo(DAY_1), nl_langinfo(ABDAY_7), nl_langinfo(MON_12), nl_langinfo(ABMON_1), nl_langinfo(D_T_FMT), nl_langinfo(AM_STR), nl_langinfo(RADIXCHAR));
  locale_t locale = newlocale(LC_ALL_MASK, "C.UTF-8", NULL), before = uselocale(locale);
  printf("%d %s ", before == LC_GLOBAL_LOCALE, nl_langinfo(CODESET));
  uselocale(before);
  printf("%s %s\n", nl_langinfo(CODESET), nl_langinfo_l(CODESET, locale));
  locale_t copy = duplocale(locale);
  printf("%d\n", strcoll_l("a", "b", copy) < 0);
  freelocale(copy), freelocale(locale);
  printf("%d\n", newlocale(LC_ALL_MASK, "xx_YY", NULL) == NULL);
}
