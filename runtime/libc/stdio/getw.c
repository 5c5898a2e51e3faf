#include <stdio.h>

int getw(FILE *stream) {
  int word;
  return fread(&word, sizeof word, 1, stream) == 1 ? word : EOF;
}

int putw(int word, FILE *stream) { return fwrite(&word, sizeof word, 1, stream) == 1 ? 0 : EOF; }
