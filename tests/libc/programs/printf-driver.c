/*
 * Prints what each line of the input requests: a kind, a format and a value, separated by tabs. The same lines go to
 * this program natively and here; see printf.long.test.ts.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  static char line[4096], out[70000];
  while (fgets(line, sizeof line, stdin)) {
    char *kind = line;
    char *format = strchr(line, '\t');
    if (!format) continue;
    *format++ = 0;
    char *value = strchr(format, '\t');
    if (!value) continue;
    *value++ = 0;
    value[strcspn(value, "\n")] = 0;
    uint64_t bits = strtoull(value, NULL, 16);
    double number;
    memcpy(&number, &bits, sizeof number);
    int result = -2;
    switch (*kind) {
      case 'i': result = snprintf(out, sizeof out, format, (int)bits); break;
      case 'l': result = snprintf(out, sizeof out, format, (long)bits); break;
      case 'f': result = snprintf(out, sizeof out, format, number); break;
      case 's': result = snprintf(out, sizeof out, format, value); break;
      case 'n': result = snprintf(out, 8, format, (long)bits); break;                  /* truncated */
      case '2': result = snprintf(out, sizeof out, format, (int)(bits & 63), number); break; /* width or precision */
      case 'p': result = snprintf(out, sizeof out, format, (int)(bits & 31), (long)bits, number, "text"); break;
    }
    printf("%d:", result);
    fputs(out, stdout);
    putchar('\n');
  }
  return 0;
}
