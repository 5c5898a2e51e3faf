/*
 * Scans the third field of each line of the input by the format in the second; the first says what the targets are.
 * The same lines go to this program natively and here; see scanf-cases.ts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *shown(char *text) {
  for (char *c = text; *c; c++) {
    if (*c == '\n') *c = '~';
  }
  return text;
}

int main(void) {
  static char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    char *kind = line;
    char *format = strchr(line, '\t');
    if (!format) continue;
    *format++ = 0;
    char *text = strchr(format, '\t');
    if (!text) continue;
    *text++ = 0;
    text[strcspn(text, "\n")] = 0;
    for (char *c = text; *c; c++) {
      if (*c == '~') *c = '\n';
    }
    int result = -2, at = -1, a = -77, b = -77;
    long l = -77;
    short h = -77;
    signed char hh = -77;
    double d = -77;
    float f = -77;
    char s[64], r[64];
    char *m = NULL;
    memset(s, '@', sizeof s), s[63] = 0;
    memset(r, '@', sizeof r), r[63] = 0;
    switch (*kind) {
      case 'i': result = sscanf(text, format, &a, &at); printf("%d", a); break;
      case 'l': result = sscanf(text, format, &l, &at); printf("%ld", l); break;
      case 'h': result = sscanf(text, format, &h, &at); printf("%d", h); break;
      case 'H': result = sscanf(text, format, &hh, &at); printf("%d", hh); break;
      case 'f': result = sscanf(text, format, &f, &at); printf("%a", f); break;
      case 'd': result = sscanf(text, format, &d, &at); printf("%a", d); break;
      case 's': result = sscanf(text, format, s, &at); printf("%s", shown(s)); break;
      case 'm': result = sscanf(text, format, &m, &at); printf("%s", m ? shown(m) : "none"); free(m); break;
      case 'x': result = sscanf(text, format, &a, s, &d, r, &b, &at); printf("%d %s %a %s %d", a, shown(s), d, shown(r), b); break;
    }
    printf(" => %d at %d\n", result, at);
  }
  return 0;
}
