/* comm A B: which lines two sorted files have in common. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *line_of(FILE *file) {
  char buffer[8];
  if (!fgets(buffer, sizeof buffer, file)) return NULL;
  return strdup(buffer);
}

int main(void) {
  FILE *a = fopen("A", "r"), *b = fopen("B", "r");
  if (!a || !b) return 2;
  char *x = line_of(a), *y = line_of(b);
  int both = 0, single = 0;
  while (x || y) {
    int order = !x ? 1 : !y ? -1 : strcmp(x, y);
    if (order == 0) both++;
    else single++;
    if (order <= 0) free(x), x = line_of(a);
    if (order >= 0) free(y), y = line_of(b);
  }
  fclose(a);
  fclose(b);
  return both > single;
}
