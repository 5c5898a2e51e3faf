/* expr: an expression of three arguments: a number, an operator, a number. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int number(const char *text, long *value) {
  char *end;
  errno = 0;
  *value = strtol(text, &end, 10);
  return end != text && *end == '\0' && errno == 0;
}

int main(int argc, char **argv) {
  long a, b, result;
  if (argc != 4) return 2;
  if (strlen(argv[2]) != 1) return 2;
  if (!number(argv[1], &a) || !number(argv[3], &b)) return 3;
  switch (argv[2][0]) {
    case '+': result = a + b; break;
    case '-': result = a - b; break;
    case '*': result = a * b; break;
    case '<': result = a < b; break;
    case '/':
    case '%':
      if (b == 0) return 4;
      result = argv[2][0] == '/' ? a / b : a % b;
      break;
    default: return 2;
  }
  printf("%ld\n", result);
  return result == 0;
}
