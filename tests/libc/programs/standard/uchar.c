/* <uchar.h>: ASCII, which every locale has. */
#include <stdio.h>
#include <string.h>
#include <uchar.h>

int main(void) {
  mbstate_t state;
  char16_t c16;
  char32_t c32;
  char out[16];
  memset(&state, 0, sizeof state);
  printf("%zu ", mbrtoc16(&c16, "hi", 2, &state));
  printf("%d\n", c16);
  printf("%zu ", mbrtoc32(&c32, "x", 1, &state));
  printf("%d\n", (int)c32);
  printf("%zu %zu\n", mbrtoc16(&c16, "", 1, &state), mbrtoc32(&c32, "", 1, &state));
  printf("%zu ", c16rtomb(out, u'A', &state));
  printf("%c\n", out[0]);
  printf("%zu ", c32rtomb(out, U'B', &state));
  printf("%c\n", out[0]);
  printf("%zu %zu\n", sizeof u"ab", sizeof U"ab");
  return 0;
}
