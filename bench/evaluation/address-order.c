/* address-order: decides by the order of addresses, as `memmove` does (Listing 2 of the paper). */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *last = NULL;
  int c, rising = 0;
  while ((c = getchar()) != EOF) {
    if (c == 'a') free(malloc(24));
    char *block = malloc(24);
    if (!block) return 1;
    if (block > last && c > 'm') rising++;
    free(last);
    last = block;
  }
  free(last);
  return rising;
}
