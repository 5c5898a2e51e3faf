/* The order of atexit, and that exit flushes. */
#include <stdio.h>
#include <stdlib.h>

static void first(void) { fputs("first registered, last run\n", stdout); }
static void second(void) { puts("second"); }
static void third(void) {
  puts("third");
  atexit(second);
}

int main(void) {
  atexit(first);
  atexit(second);
  atexit(third);
  printf("main ");
  exit(5);
}
