/* wc: lines, words and bytes of standard input. */
#include <ctype.h>
#include <stdio.h>

int main(void) {
  long lines = 0, words = 0, bytes = 0;
  int is_inside = 0, c;
  while ((c = getchar()) != EOF) {
    bytes++;
    lines += c == '\n';
    if (isspace(c)) is_inside = 0;
    else if (!is_inside) is_inside = 1, words++;
  }
  printf("%ld %ld %ld\n", lines, words, bytes);
  return 0;
}
