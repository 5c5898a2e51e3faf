/* <regex.h>: a table of patterns, texts and flags; matches, submatches, errors. */
#include <regex.h>
#include <stdio.h>
#include <string.h>

#define E REG_EXTENDED
#define I REG_ICASE
#define N REG_NEWLINE

static const struct {
  const char *pattern;
  int flags;
  const char *text;
} table[] = {
    {"abc", 0, "xabcy"}, {"", 0, "abc"}, {"", E, ""}, {"a*", 0, "aaab"}, {"a*", 0, "baaa"}, {"a+", 0, "a+aa"},
    {"a\\+", 0, "baaa"}, {"a\\?b", 0, "aab"}, {"a+", E, "baaa"}, {"(a)(b)(c)", E, "xabcx"}, {"a|b|ab", E, "ab"},
    {"(a*)(b*)", E, "aabb"}, {"(a*)(a*)", E, "aaa"}, {"(a*)*", E, "aa"}, {"(a*)+", E, "b"}, {"(a|b)*c", E, "ababc"},
    {"(.*)(.*)", E, "xyz"}, {"(.*)([0-9]+)", E, "abc123"}, {"([0-9]+)(.*)", E, "abc123def"}, {"x*y", 0, "xxz xxy"},
    {"^abc$", 0, "abc"}, {"^abc$", 0, "abcd"}, {"a^b", 0, "a^b"}, {"a$b", 0, "a$b"}, {"^*ab", 0, "*ab"}, {"\\(^a\\)", 0, "ba"},
    {"\\(*a\\)", 0, "*a"}, {"a\\|b", 0, "xb"}, {"^a\\|^b", 0, "b"}, {"a\\{2,3\\}", 0, "aaaa"}, {"a{2,3}", E, "aaaa"},
    {"a{2,}", E, "aaaa"}, {"a{,2}", E, "aaaa"}, {"a{0}b", E, "ab"}, {"(ab){2}", E, "ababab"}, {"(a{1,2}){2}", E, "aaa"},
    {"[abc]*", E, "cabd"}, {"[^abc]+", E, "xyza"}, {"[]a]+", E, "]a]b"}, {"[^]a]+", E, "bc]"}, {"[a-c]+", E, "abcd"},
    {"[a-]+", E, "a-b"}, {"[-a]+", E, "a-b"}, {"[[:digit:]]+", E, "a123b"}, {"[[:alpha:]_][[:alnum:]_]*", E, "9_x1 "},
    {"[[:space:]]", E, "a\tb"}, {"[[=a=]b]+", E, "xab"}, {"[[.-.]]", E, "a-b"}, {"[a\\]+", E, "a\\"}, {"\\.", E, "a.b"},
    {"a.c", E, "a\nc"}, {"a.c", E | N, "a\nc"}, {"^b$", E | N, "a\nb\nc"}, {"^b$", E, "a\nb\nc"}, {"[^a]", E | N, "\nb"},
    {"AbC", I, "xaBc"}, {"[a-c]+", E | I, "ABCD"}, {"[^a]", E | I, "Ab"}, {"(a)\\1", E | I, "aA"}, {"\\(a*\\)b\\1", 0, "aabaa"},
    {"\\(.*\\)\\1", 0, "abcabc"}, {"\\(a\\)\\(b\\)\\2\\1", 0, "abba"}, {"(a*)\\1", E, "aaaaa"}, {"(.)(.)\\2\\1", E, "xabbay"},
    {"\\w+", E, "  word_1 "}, {"\\W+", E, "ab, cd"}, {"\\s\\S", E, "ab cd"}, {"\\bfoo\\b", E, "a foo b"}, {"\\Boo", E, "foo oo"},
    {"\\<a", E, "ba ab"}, {"a\\>", E, "ab ba"}, {"\\`a", E, "ba"}, {"a\\'", E, "ab a"}, {"(|a)b", E, "ab"}, {"(a|)b", E, "b"},
    {"()", E, "x"}, {"(())", E, "x"}, {"a||b", E, "b"}, {"a)", E, "a)"}, {"((a)|(b))+", E, "b"}, {"(a)|b", E, "b"},
    {"x(.*)y(.*)z", E, "x1y2y3z"}, {"(a+|b+)+c", E, "aabbc"}, {"[0-9]{1,3}(\\.[0-9]{1,3}){3}", E, "at 192.168.1.254!"},
    {"([a-z]+)@([a-z]+)\\.(com|org)", E, "mail bob@example.org now"}, {"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\\?([^#]*))?(#(.*))?", E, "http://www.ics.uci.edu/pub/ietf/uri/?q#Related"},
    /* errors */
    {"[", 0, ""}, {"[a", 0, ""}, {"[b-a]", 0, ""}, {"[[:foo:]]", 0, ""}, {"\\(", 0, ""}, {"\\)", 0, ""}, {"(", E, ""}, {"a\\", 0, ""},
    {"*", E, ""}, {"a|*b", E, ""}, {"(*a)", E, ""}, {"+", E, ""}, {"a{2,1}", E, ""}, {"a{1", E, ""}, {"a{x}", E, ""}, {"a{99999}", E, ""},
    {"\\1", E, ""}, {"(a\\1)", E, ""}, {"\\{1\\}", 0, ""}, {"{1}", E, ""}, {"^*", E, ""}, {"[[.ab.]]", E, ""}, {"[a-c-e]", E, ""},
    {"a**", 0, ""}, {"a**b", E, "aab"}, {"*", 0, "a*"}, {"\\+", 0, "+"}, {"a\\{1", 0, ""}, {"a}", E, "a}"},
};

static void show(const char *pattern, int flags, const char *text, int exec_flags) {
  regex_t regex;
  regmatch_t matches[12];
  char message[100];
  int code = regcomp(&regex, pattern, flags);
  if (code != 0) {
    const size_t length = regerror(code, &regex, message, sizeof message);
    printf("'%s' error %d: %s (%zu)\n", pattern, code, message, length);
    return;
  }
  code = regexec(&regex, text, 12, matches, exec_flags);
  printf("'%s' nsub %zu %d:", pattern, regex.re_nsub, code);
  for (size_t i = 0; code == 0 && i <= regex.re_nsub; i++) printf(" (%d,%d)", (int)matches[i].rm_so, (int)matches[i].rm_eo);
  printf("\n");
  regfree(&regex);
}

int main(void) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) show(table[i].pattern, table[i].flags, table[i].text, 0);
  show("^a", E, "a", REG_NOTBOL);
  show("a$", E, "a", REG_NOTEOL);
  show("^a", E | N, "b\na", REG_NOTBOL);
  show("\\`a", E, "a", REG_NOTBOL);

  regex_t regex;
  regmatch_t range[2] = {{2, 5}, {-1, -1}};
  regcomp(&regex, "b+", E);
  printf("%d ", regexec(&regex, "bbbbbbbb", 1, range, REG_STARTEND));
  printf("%d %d\n", (int)range[0].rm_so, (int)range[0].rm_eo);
  regfree(&regex);
  regcomp(&regex, "(a)(b)", E | REG_NOSUB);
  printf("%d\n", regexec(&regex, "xab", 2, range, 0));
  regfree(&regex);

  /* Exponential for a backtracker, linear for an automaton. */
  char text[2001];
  memset(text, 'a', 2000);
  text[2000] = 0;
  regcomp(&regex, "(a*)*(a|aa)*b", E);
  printf("%d\n", regexec(&regex, text, 1, range, 0));
  regfree(&regex);
  char small[8];
  printf("%zu ", regerror(REG_NOMATCH, NULL, small, sizeof small));
  printf("%s\n", small);
  return 0;
}
