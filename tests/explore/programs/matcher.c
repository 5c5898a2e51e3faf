/*
 * A matcher for patterns of letters and . * ^ $, after the idea of Rob Pike's in "The Practice of Programming", with the
 * behaviour of the one that KLEE's tutorial explores. The pattern has no terminating zero: some reads leave it.
 */
#include <klee/klee.h>

static int at_position(const char *pattern, const char *text);

static int repeated(int letter, const char *rest, const char *text) {
  for (;;) {
    if (at_position(rest, text)) return 1;
    if (*text == '\0') return 0;
    int fits = *text++ == letter || letter == '.';
    if (!fits) return 0;
  }
}

static int at_position(const char *pattern, const char *text) {
  if (pattern[0] == '\0') return 0;
  if (pattern[1] == '*') return repeated(pattern[0], pattern + 2, text);
  if (pattern[0] == '$' && pattern[1] == '\0') return *text == '\0';
  if (*text != '\0' && (pattern[0] == '.' || pattern[0] == *text)) return at_position(pattern + 1, text + 1);
  return 0;
}

static int anywhere(const char *pattern, const char *text) {
  if (pattern[0] == '^') return at_position(pattern + 1, text);
  do {
    if (at_position(pattern, text)) return 1;
  } while (*text++ != '\0');
  return 0;
}

int main(void) {
  char pattern[7];
  klee_make_symbolic(pattern, sizeof pattern, "pattern");
  anywhere(pattern, "hello");
  return 0;
}
