/* Forks at bytes, calls that are left by longjmp, errors of several kinds. */
#include <klee/klee.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf out;
static int depth;

static void parse(const unsigned char *s, int i) {
  depth++;
  if (s[i] == '!') longjmp(out, i + 1);
  if (s[i] == '(') parse(s, i + 1);
  else if (s[i] != ')') {
    if (i == 4) abort();
    parse(s, i + 1);
  }
}

int main(void) {
  unsigned char s[6];
  klee_make_symbolic(s, sizeof s, "s");
  s[5] = ')';
  int from = setjmp(out);
  if (from) return from;
  parse(s, 0);
  char small[4];
  if (s[0] == 'A' && s[1] == 'B') memcpy(small, s, s[2] & 7);
  return depth;
}
