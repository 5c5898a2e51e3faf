/*
 * The main of a program that has none but defines LLVMFuzzerTestOneInput: it runs that function
 * once on each file named on the command line, or on standard input. It takes three parameters
 * because that form of main is the last that start/ looks for.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static int run_on(FILE *stream, const char *name) {
  size_t size = 0, capacity = 4096;
  uint8_t *data = malloc(capacity);
  while (data) {
    size += fread(data + size, 1, capacity - size, stream);
    if (size < capacity) break;
    uint8_t *larger = realloc(data, capacity *= 2);
    if (!larger) free(data);
    data = larger;
  }
  if (!data || ferror(stream)) {
    fprintf(stderr, "cannot read %s\n", name);
    free(data);
    return 1;
  }
  /* In a block of exactly this size, so that a read past the end of the input is seen. */
  uint8_t *exact = malloc(size);
  memcpy(exact, data, size);
  free(data);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  return 0;
}

/* The form of main that start/ tries last, so that a main of the program goes first. */
int main(int argc, char **argv, char **environment) {
  (void)environment;
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  if (argc < 2) return run_on(stdin, "standard input");
  int failed = 0;
  for (int i = 1; i < argc; i++) {
    FILE *stream = fopen(argv[i], "rb");
    if (!stream) {
      perror(argv[i]);
      return 1;
    }
    failed |= run_on(stream, argv[i]);
    fclose(stream);
  }
  return failed;
}
