// engines: check
// A stream is a block of the C library: fclose frees it, and the error is reported at the user's call.
#include <stdio.h>

int main(void) {
  FILE *file = fopen("/dev/null", "w");
  if (file == NULL) return 1;
  fclose(file);     //~ NOTE freed here
  fputc('x', file); //~ ERROR use-after-free
  return 0;
}
