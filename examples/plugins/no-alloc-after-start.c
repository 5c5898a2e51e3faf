#include <stdlib.h>
#include <string.h>

static char *line;

static void remember(const char *text) {
  free(line);
  line = strdup(text); // BUG no-alloc-after-start/allocation
}

static int run(void) {
  for (int i = 0; i < 3; i++) remember("tick");
  return strcmp(line, "tick");
}

int main(void) {
  line = calloc(1, 8);
  int status = run();
  free(line);
  return status;
}
