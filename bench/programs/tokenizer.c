/* A tokenizer over N symbolic bytes: names, numbers, strings with escapes, operators of one and two bytes, blanks. */
#include <klee/klee.h>

#ifndef N
#define N 6
#endif

enum token { END, NAME, NUMBER, STRING, OPERATOR, ERROR };

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static enum token next(const char **text) {
  const char *at = *text;
  while (*at == ' ') at++;
  enum token kind = ERROR;
  if (*at == 0) kind = END;
  else if (is_letter(*at)) {
    while (is_letter(*at) || is_digit(*at)) at++;
    kind = NAME;
  } else if (is_digit(*at)) {
    while (is_digit(*at)) at++;
    kind = NUMBER;
  } else if (*at == '"') {
    at++;
    while (*at != 0 && *at != '"') {
      if (*at == '\\' && at[1] != 0) at++;
      at++;
    }
    if (*at == '"') {
      at++;
      kind = STRING;
    }
  } else if (*at == '<' || *at == '=') {
    at++;
    if (*at == '=') at++;
    kind = OPERATOR;
  }
  *text = at;
  return kind;
}

int main(void) {
  char text[N + 1];
  klee_make_symbolic(text, N, "text");
  text[N] = 0;
  const char *at = text;
  int tokens = 0;
  for (;;) {
    enum token kind = next(&at);
    if (kind == END) return tokens;
    if (kind == ERROR) return 100;
    tokens++;
  }
}
