// engines: check explore
// A text is written over the one that it is made of.
#include <stdio.h>

int main(void) {
  char line[32] = "ab";
  sprintf(line, "%s-%s", line, "x"); //~ ERROR overlapping-copy
  return line[0] == 'b';
}
