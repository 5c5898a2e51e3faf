// engines: check
// args: 3 a%s data 7
// taint: args
/* Each argument is checked before it decides anything. */
#include <redzone.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
  int kind, count;
  char name[16];
};

static int checked(int value, int limit) {
  int result = value >= 0 && value < limit ? value : 0;
  redzone_unlabel(&result, sizeof result);
  return result;
}

static void size(int count) {
  char *p = malloc((size_t)count + 1);
  free(p);
  p = malloc((size_t)checked(count, 10) + 1);
  free(p);
}

static void length(int count) {
  char bytes[16];
  memset(bytes, 0, (size_t)count);
  memset(bytes, 0, (size_t)checked(count, 16));
}

static int index_of(const int *table, int at) {
  return table[at];
}

static int rounds(int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum += i;
  while (count--) sum++;
  return sum;
}

static int scanned(const char *text) {
  int n = 0;
  while (*text++) n++;
  return n;
}

static int quotient(int divisor) {
  return 100 / divisor;
}

static void format(const char *text) {
  char out[64];
  snprintf(out, sizeof out, text, "s");
  snprintf(out, sizeof out, "%s", text);
}

static void path(const char *name) {
  FILE *file = fopen(name, "r");
  if (file) fclose(file);
}

/* Stands for the one of the library, which starts a process and is unsupported. */
int system(const char *text) { return text == 0; }

static void command(const char *name) {
  char text[64];
  sprintf(text, "ls %s", name);
  system(text);
}

static int last(int count, ...) {
  va_list list;
  int value = 0;
  va_start(list, count);
  while (count-- > 0) value = va_arg(list, int);
  va_end(list);
  return value;
}

static struct request make(int count) {
  struct request made = {1, count, "request"};
  return made;
}

static void through_structs(int count) {
  struct request a = make(count), b;
  memcpy(&b, &a, sizeof b);
  free(malloc((size_t)b.kind));
  free(malloc((size_t)b.count));
}

static void through_variadics(int count) {
  free(malloc((size_t)last(3, count, count, 5)));
  free(malloc((size_t)last(2, 1, count)));
}

int main(int argc, char **argv) {
  static const int table[8];
  if (argc < 5) return 1;
  int n = checked(atoi(argv[1]), 9);
  size(n);
  length(n);
  index_of(table, n);
  index_of(table, checked(n, 8));
  rounds(n);
  rounds(checked(n, 9));
  scanned(argv[1]);
  quotient(n);
  quotient(checked(n, 9) + 1);
  format("a%s");
  path("data");
  path("data");
  command("data");
  through_structs(n);
  through_variadics(n);
  return 0;
}
