// engines: check explore
// A standard stream has no block that could be freed twice.
#include <stdio.h>

int main(void) {
  fclose(stdin);
  fclose(stdin); //~ ERROR abort
  return 0;
}
