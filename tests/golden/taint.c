// engines: check
// args: 3 a%s data 7
// taint: args
/* What an argument decides: one error for each kind of sink, and the ways that lead there. */
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
  char *p = malloc((size_t)count + 1); //~ ERROR tainted-sink
  free(p);
  p = malloc((size_t)checked(count, 10) + 1);
  free(p);
}

static void length(int count) {
  char bytes[16];
  memset(bytes, 0, (size_t)count); //~ ERROR tainted-sink
  memset(bytes, 0, (size_t)checked(count, 16));
}

static int index_of(const int *table, int at) {
  return table[at]; //~ ERROR tainted-sink
}

static int rounds(int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum += i; //~ ERROR tainted-sink
  while (count--) sum++; //~ ERROR tainted-sink
  return sum;
}

static int scanned(const char *text) {
  int n = 0;
  while (*text++) n++;
  return n;
}

static int quotient(int divisor) {
  return 100 / divisor; //~ ERROR tainted-sink
}

static void format(const char *text) {
  char out[64];
  snprintf(out, sizeof out, text, "s"); //~ ERROR tainted-sink
  snprintf(out, sizeof out, "%s", text);
}

static void path(const char *name) {
  FILE *file = fopen(name, "r"); //~ ERROR tainted-sink
  if (file) fclose(file);
}

/* Stands for the one of the library, which starts a process and is unsupported. */
int system(const char *text) { return text == 0; }

static void command(const char *name) {
  char text[64];
  sprintf(text, "ls %s", name);
  system(text); //~ ERROR tainted-sink
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
  free(malloc((size_t)b.count)); //~ ERROR tainted-sink
}

static void through_variadics(int count) {
  free(malloc((size_t)last(3, count, count, 5)));
  free(malloc((size_t)last(2, 1, count))); //~ ERROR tainted-sink
}

int main(int argc, char **argv) {
  static const int table[8];
  if (argc < 5) return 1;
  int n = atoi(argv[1]);
  size(n);
  length(n);
  index_of(table, n);
  index_of(table, checked(n, 8));
  rounds(n);
  rounds(checked(n, 9));
  scanned(argv[1]);
  quotient(n);
  quotient(checked(n, 9) + 1);
  format(argv[2]);
  path(argv[3]);
  path("data");
  command(argv[3]);
  through_structs(n);
  through_variadics(n);
  return 0;
}
