// engines: check explore
#include <stdio.h>

int main(void) {
  fclose(stdin);
  if (freopen("no-such-file", "r", stdin) != NULL) return 1;
  if (getchar() != EOF) return 2;
  return fclose(stdout);
}
