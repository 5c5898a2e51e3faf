/* <ctype.h>: every function on every character, as one line of digits each. */
#include <ctype.h>
#include <stdio.h>

#define SHOW(function)                                                      \
  do {                                                                      \
    printf("%-8s ", #function);                                             \
    for (int c = -1; c < 256; c++) putchar(function(c) ? '1' : '0');        \
    putchar('\n');                                                          \
  } while (0)

int main(void) {
  SHOW(isalnum);
  SHOW(isalpha);
  SHOW(isblank);
  SHOW(iscntrl);
  SHOW(isdigit);
  SHOW(isgraph);
  SHOW(islower);
  SHOW(isprint);
  SHOW(ispunct);
  SHOW(isspace);
  SHOW(isupper);
  SHOW(isxdigit);
  for (int c = -1; c < 256; c++) printf("%d/%d ", tolower(c), toupper(c));
  putchar('\n');
  int (*function)(int) = (isalpha);
  printf("%d %d\n", function('a') != 0, (toupper)('q'));
  return 0;
}
