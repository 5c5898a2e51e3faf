/* <ctype.h> and <wctype.h> on all of ASCII */
#include <ctype.h>
#include <stdio.h>
#include <wctype.h>

int main(void) {
  for (int c = -1; c < 256; c++) {
    printf("%d: %d%d%d%d%d%d%d%d%d%d%d%d %d %d\n", c, !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c), !!isgraph(c),
           !!islower(c), !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c), !!isxdigit(c), tolower(c), toupper(c));
  }
  for (wint_t c = 0; c < 128; c++) {
    printf("%u: %d%d%d%d%d%d%d%d%d%d%d%d %u %u\n", c, !!iswalnum(c), !!iswalpha(c), !!iswblank(c), !!iswcntrl(c), !!iswdigit(c),
           !!iswgraph(c), !!iswlower(c), !!iswprint(c), !!iswpunct(c), !!iswspace(c), !!iswupper(c), !!iswxdigit(c), towlower(c),
           towupper(c));
  }
  printf("%d %d %d\n", !!isascii(127), !!isascii(128), toascii(200));
  static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit", "other"};
  for (int i = 0; i < 13; i++) printf("%s %d %d\n", names[i], wctype(names[i]) != 0, !!iswctype('7', wctype(names[i])));
  printf("%c %c %c\n", towctrans('x', wctrans("toupper")), towctrans('X', wctrans("tolower")), towctrans('-', wctrans("toupper")));
}
