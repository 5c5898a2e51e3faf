// engines: check explore
// The text is appended to its own copy, which has no end by then.
#include <stdio.h>

int main(void) {
  char line[32] = "ab";
  snprintf(line, sizeof line, "%d%s", 7, line); //~ ERROR overlapping-copy
  return line[0] == 'b';
}
