// engines: check explore
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[32] = "ab", whole[32];
  snprintf(whole, sizeof whole, "%d%s", 7, line);
  return strcmp(whole, "7ab") != 0;
}
