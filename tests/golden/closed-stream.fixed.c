// engines: check
#include <stdio.h>

int main(void) {
  FILE *file = fopen("/dev/null", "w");
  if (file == NULL) return 1;
  fputc('x', file);
  fclose(file);
  return 0;
}
