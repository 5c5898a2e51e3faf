#include <stdio.h>
#include <stdlib.h>

/* A picture begins with its width and height, in text. */
static unsigned char *load(FILE *file, int *width, int *height) {
  char line[32];
  if (!fgets(line, sizeof line, file)) return NULL;
  if (sscanf(line, "%d %d", width, height) != 2) return NULL;
  int bytes = *width * *height;
  return malloc((size_t)bytes);
}

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (!file) return 1;
  int width, height;
  unsigned char *pixels = load(file, &width, &height);
  free(pixels);
  fclose(file);
  return 0;
}
