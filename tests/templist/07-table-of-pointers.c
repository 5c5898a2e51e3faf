// engines: check
// Some entries of a table are replaced; a copy of the table still has the old ones.
#include "../golden/cases.h"

enum { count = 6 };

int main(void) {
  int *table[count], *copy[count];
  for (int i = 0; i < count; i++) {
    table[i] = malloc(sizeof(int));
    *table[i] = i;
  }
  memcpy(copy, table, sizeof copy);
  for (int i = 1; i < count; i += 3) {
    free(table[i]);
    table[i] = malloc(sizeof(int));
    *table[i] = -i;
  }
  BUGGY(, memcpy(copy, table, sizeof copy));
  int sum = *copy[0] + *copy[2];
  sum += *copy[1]; //~ ERROR use-after-free
  *copy[4] = sum;  //~ ERROR use-after-free
  for (int i = 0; i < count; i++) free(table[i]);
  return 0;
}
