/* getenv and what changes it; atexit; system */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static void show(const char *name) {
  const char *value = getenv(name);
  printf("%s=%s\n", name, value ? value : "(unset)");
}

static void first(void) { printf("registered first, runs last\n"); }
static void late(void) { printf("registered at exit\n"); }
static void second(void) {
  printf("registered second\n");
  atexit(late);
}

int main(void) {
  clearenv();
  show("A");
  printf("%d\n", setenv("A", "one", 0)), show("A");
  setenv("A", "two", 0), show("A");
  setenv("A", "three", 1), show("A");
  setenv("AB", "", 1), show("AB");
  printf("%d %d\n", setenv("", "x", 1), setenv("a=b", "x", 1));
  static char assignment[] = "P=put";
  putenv(assignment), show("P");
  assignment[2] = 'P', show("P");
  for (int i = 0; i < 50; i++) {
    char name[20];
    snprintf(name, sizeof name, "V%d", i);
    setenv(name, name, 1);
  }
  show("V0"), show("V49");
  unsetenv("A"), show("A"), show("AB");
  int count = 0;
  while (environ[count]) count++;
  printf("%d\n", count);
  clearenv(), show("AB");
  for (int i = 0; i < 40; i++) atexit(i == 0 ? first : second);
  printf("%d\n", system(NULL) >= 0);
  return 7;
}
