/* Text out of numbers and numbers out of text: a table printed and read back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char line[160], name[32];
  unsigned hash = 0;
  long total = 0;
  double sum = 0;
  for (int i = 0; i < 160000; i++) {
    int n = snprintf(line, sizeof line, "%-12s|%6d|%08x|%-8.3f|%c|%5ld|%s\n", i % 3 ? "widget" : "gear wheel", i * 37 % 10007,
                     (unsigned)i * 2654435761u, i / 7.0, 'a' + i % 26, (long)i - 20000, i & 1 ? "yes" : "no");
    for (int k = 0; k < n; k++) hash = hash * 31 + (unsigned char)line[k];
    char *field = strchr(line, '|');
    total += strtol(field + 1, &field, 10);
    total += (long)strtoul(field + 1, &field, 16) & 0xff;
    sum += strtod(field + 1, &field);
    int a, b;
    sprintf(name, "%d:%d", i, i + 1);
    if (sscanf(name, "%d:%d", &a, &b) == 2) total += b - a;
    sum += atoi(name);
  }
  printf("%u %ld %.3f\n", hash, total, sum);
  return 0;
}
