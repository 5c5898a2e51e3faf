/* <fnmatch.h> <glob.h> <libgen.h> <wordexp.h> */
#include <fnmatch.h>
#include <glob.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

static void names(void) {
  static const struct {
    const char *pattern, *text;
    int flags;
  } table[] = {
      {"*.c", "main.c", 0}, {"*.c", ".c", FNM_PERIOD}, {"*", "a/b", 0}, {"*", "a/b", FNM_PATHNAME}, {"a?c", "abc", 0}, {"a?c", "a/c", FNM_PATHNAME},
      {"[a-c]x", "bx", 0}, {"[!a-c]x", "bx", 0}, {"[^a-c]x", "dx", 0}, {"[]]", "]", 0}, {"[[:digit:]]*", "7up", 0}, {"\\*", "*", 0},
      {"\\*", "\\*", FNM_NOESCAPE}, {"A*", "abc", FNM_CASEFOLD}, {"a/*", "a/.b", FNM_PATHNAME | FNM_PERIOD}, {"a", "a/b", FNM_LEADING_DIR},
      {"*a*b*c*", "xxaxxbxxcxx", 0}, {"*a*b*c*", "xxaxxbxx", 0}, {"[a", "[a", 0}, {"", "", 0}, {"", "a", 0}, {"**/x", "a/x", FNM_PATHNAME},
      {"*(ab)c", "ababc", FNM_EXTMATCH}, {"+(a|b)", "abba", FNM_EXTMATCH}, {"?(a)b", "b", FNM_EXTMATCH}, {"@(x|y)z", "yz", FNM_EXTMATCH},
      {"!(x)", "y", FNM_EXTMATCH}, {"!(x)", "x", FNM_EXTMATCH}, {"+(a|b)", "abc", FNM_EXTMATCH},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) printf("%d", fnmatch(table[i].pattern, table[i].text, table[i].flags));
  printf("\n");
}

static void parts(void) {
  const char *paths[] = {"/usr/lib", "/usr/", "usr", "/", ".", "..", "", "a/b/c", "/a//b//", "a/"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    char a[32], b[32];
    strcpy(a, paths[i]);
    strcpy(b, paths[i]);
    printf("%s|", dirname(a));
    printf("%s ", basename(b));
  }
  printf("\n");
}

static void make(const char *name) { fclose(fopen(name, "w")); }

static void show_glob(const char *pattern, int flags) {
  glob_t result;
  result.gl_offs = 2;
  const int code = glob(pattern, flags, NULL, &result);
  printf("%s: %d", pattern, code);
  const size_t offset = flags & GLOB_DOOFFS ? 2 : 0;
  for (size_t i = 0; code == 0 && i < result.gl_pathc; i++) printf(" %s", result.gl_pathv[offset + i]);
  printf("\n");
  if (code == 0) globfree(&result);
}

static void files(void) {
  mkdir("folder", 0777);
  chdir("folder");
  mkdir("d1", 0777);
  mkdir("d2", 0777);
  make("b.c");
  make("a.c");
  make("c.h");
  make(".hidden");
  make("d1/x.c");
  make("d1/y.c");
  make("d2/x.c");
  show_glob("*.c", 0);
  show_glob("*", 0);
  show_glob("*", GLOB_MARK);
  show_glob(".h*", 0);
  show_glob("*/x.c", 0);
  show_glob("d[12]/*.c", 0);
  show_glob("d1/../d1/?.c", 0);
  show_glob("nothing*", 0);
  show_glob("nothing*", GLOB_NOCHECK);
  show_glob("a.c", 0);
  show_glob("nofile", 0);
  show_glob("nofile", GLOB_NOMAGIC);
  show_glob("{b,a}.c", GLOB_BRACE);
  show_glob("*.{c,h}", GLOB_BRACE);
  show_glob("d?/", 0);
  show_glob("*.c", GLOB_DOOFFS);
}

static void show_words(const char *text, int flags) {
  wordexp_t result;
  const int code = wordexp(text, &result, flags);
  printf("%s: %d", text, code);
  for (size_t i = 0; code == 0 && i < result.we_wordc; i++) printf(" <%s>", result.we_wordv[i]);
  printf("\n");
  if (code == 0) wordfree(&result);
}

static void words(void) {
  setenv("HOME", "/home/me", 1);
  setenv("ONE", "first second", 1);
  setenv("EMPTY", "", 1);
  unsetenv("UNSET");
  const char *texts[] = {"plain words here", "'single quoted' \"double quoted\"", "$ONE", "\"$ONE\"", "${ONE}s", "~ ~/x", "a\\ b", "\"a\\$b\"",
                         "${UNSET:-default}", "${EMPTY:-default}", "${EMPTY-default}", "${ONE:+set}", "${#ONE}", "x$((2 + 3 * 4))y", "$((-7 / 2))",
                         "*.c", "'*.c'", "no*match", "\"\"", "$UNSET", "", "  spaces   between  ", "a$ONE", "'it'\"s\"", "${UNSET:=assigned} $UNSET"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) show_words(texts[i], 0);
  show_words("a|b", 0);
  show_words("a;b", 0);
  show_words("$(ls)", WRDE_NOCMD);
  show_words("`ls`", WRDE_NOCMD);
  show_words("'open", 0);
  show_words("\"open", 0);
  show_words("$NOTSET", WRDE_UNDEF);
  wordexp_t list;
  wordexp("a b", &list, 0);
  wordexp("c", &list, WRDE_APPEND);
  printf("%zu %s\n", list.we_wordc, list.we_wordv[2]);
  wordfree(&list);
}

int main(void) {
  names();
  parts();
  files();
  words();
  return 0;
}
