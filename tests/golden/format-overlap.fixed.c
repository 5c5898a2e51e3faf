// engines: check explore
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[32] = "ab";
  size_t length = strlen(line);
  sprintf(line + length, "-%.*s", 2, "xyz");
  snprintf(line + 6, sizeof line - 6, "%.4s", line);
  return strcmp(line, "ab-xy") != 0 || strcmp(line + 6, "ab-x") != 0;
}
