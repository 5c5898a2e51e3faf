#include <stdlib.h>
#include <string.h>

static char *line;

static void remember(const char *text) {
  memcpy(line, text, strlen(text) + 1);
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
