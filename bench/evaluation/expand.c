/* expand: tabs become spaces. */
#include <stdio.h>

int main(void) {
  int column = 0, c;
  while ((c = getchar()) != EOF) {
    if (c == '\t') do putchar(' ');
      while (++column % 8 != 0);
    else {
      putchar(c);
      column = c == '\n' ? 0 : c == '\b' && column > 0 ? column - 1 : column + 1;
    }
  }
  return 0;
}
