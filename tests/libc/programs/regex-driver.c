/* Runs the cases of standard input: compile flags, execute flags, pairs to print, pattern and text in hexadecimal. */
#include <regex.h>
#include <stdio.h>
#include <string.h>

static void decode(const char *hex, char *to) {
  unsigned byte;
  if (hex[0] != '-') {
    for (; *hex; hex += 2) {
      sscanf(hex, "%2x", &byte);
      *to++ = (char)byte;
    }
  }
  *to = 0;
}

int main(void) {
  static char hex[2][4096], pattern[2048], text[2048];
  int compile_flags, execute_flags, pairs;
  while (scanf("%d %d %d %4095s %4095s", &compile_flags, &execute_flags, &pairs, hex[0], hex[1]) == 5) {
    regex_t regex;
    regmatch_t matches[10];
    decode(hex[0], pattern);
    decode(hex[1], text);
    const int error = regcomp(&regex, pattern, compile_flags);
    if (error != 0) {
      printf("error %d\n", error);
      continue;
    }
    const int code = regexec(&regex, text, 10, matches, execute_flags);
    printf("%d %d", (int)regex.re_nsub, code);
    for (int i = 0; code == 0 && i < pairs; i++) printf(" %d,%d", (int)matches[i].rm_so, (int)matches[i].rm_eo);
    printf("\n");
    regfree(&regex);
  }
  return 0;
}
