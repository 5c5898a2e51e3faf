/* <wctype.h>: in the C locale, over ASCII. */
#include <stdio.h>
#include <wctype.h>

#define SHOW(function)                                                     \
  do {                                                                     \
    printf("%-10s ", #function);                                           \
    for (wint_t c = 0; c < 128; c++) putchar(function(c) ? '1' : '0');     \
    printf("%d\n", function(WEOF) != 0);                                   \
  } while (0)

int main(void) {
  SHOW(iswalnum); SHOW(iswalpha); SHOW(iswblank); SHOW(iswcntrl); SHOW(iswdigit); SHOW(iswgraph); SHOW(iswlower);
  SHOW(iswprint); SHOW(iswpunct); SHOW(iswspace); SHOW(iswupper); SHOW(iswxdigit);
  for (wint_t c = 0; c < 128; c++) printf("%d/%d ", (int)towlower(c), (int)towupper(c));
  putchar('\n');
  const char *names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"};
  for (int i = 0; i < 12; i++) {
    const wctype_t type = wctype(names[i]);
    int count = 0;
    for (wint_t c = 0; c < 128; c++) count += iswctype(c, type) != 0;
    printf("%s %d\n", names[i], count);
  }
  printf("%d %d\n", wctype("nonsense") == 0, wctrans("nonsense") == 0);
  printf("%c%c\n", (int)towctrans(L'a', wctrans("toupper")), (int)towctrans(L'Q', wctrans("tolower")));
  return 0;
}
