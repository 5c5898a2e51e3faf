/* cut -d, -f2: the second field of each line of standard input; fields are kept on the heap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char line[16];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    char *start = strchr(line, ',');
    char *field = strdup(start ? start + 1 : line);
    if (!field) return 1;
    char *end = strchr(field, ',');
    if (end) *end = '\0';
    puts(field);
    free(field);
  }
  return 0;
}
