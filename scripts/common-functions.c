// The library functions that most C programs use. scripts/common-library.mjs compiles the file and
// runs it to its end.
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void text(void) {
  char buffer[64], *copy = strdup("one two");
  strcpy(buffer, copy), strcat(buffer, " three"), strncat(buffer, "!", 1), strncpy(buffer + 32, copy, 8);
  for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) puts(word);
  free(copy);
  memmove(buffer + 1, buffer, 8), memset(buffer, 0, 4), memcpy(buffer, "abc", 4);
  int sum = strcmp(buffer, "abc") + strncmp(buffer, "ab", 2) + memcmp(buffer, "a", 1) + (int)strlen(buffer);
  sum += strchr(buffer, 'b') != NULL, sum += strrchr(buffer, 'b') != NULL, sum += strstr(buffer, "bc") != NULL;
  sum += isalpha('a') + isdigit('1') + isspace(' ') + isupper('a') + islower('a') + isalnum('_') + ispunct('.');
  sum += toupper('a') + tolower('A') + (int)strspn("aab", "a") + (int)strcspn("abc", "c");
  printf("%d %s %c %5.2f %zu %p\n", sum, buffer, 'x', 1.5, sizeof buffer, (void *)buffer);
}

static void numbers(void) {
  int sorted[] = {3, 1, 2}, key = 2;
  qsort(sorted, 3, sizeof *sorted, compare);
  assert(bsearch(&key, sorted, 3, sizeof *sorted, compare) != NULL);
  srand(1);
  long whole = atoi("1") + atol("2") + strtol("3", NULL, 10) + (long)strtoul("4", NULL, 10) + abs(-1) + rand() % 2;
  char buffer[32];
  snprintf(buffer, sizeof buffer, "%ld", whole), sprintf(buffer, "%d", key), puts(buffer);
  double real = strtod("1.5", NULL) + atof("2.5");
  real = sqrt(real) + pow(real, 2.5) + floor(real) + ceil(real) + fabs(real) + fmod(real, 2);
  real += sin(real) + cos(real) + exp(real) + log(real + 1);
  if (sscanf("7 word", "%d %31s", &key, buffer) == 2) printf("%g %d %s\n", real, key, buffer);
}

static void report(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  va_start(list, format);
  char text[16];
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
}

static void files(void) {
  char line[80];
  FILE *file = fopen("/no/such/file", "r");
  if (file == NULL) fprintf(stderr, "%s\n", strerror(errno)), perror("fopen");
  else fclose(file);
  if (fgets(line, sizeof line, stdin) != NULL) fputs(line, stdout);
  int c = getchar();
  if (c != EOF) putchar(c);
  fflush(stdout);
  FILE *copy = fopen("/dev/null", "r+b");
  if (copy == NULL) return;
  fputc('a', copy), fwrite(line, 1, 0, copy), fseek(copy, 0, SEEK_SET);
  if (fread(line, 1, 1, copy) + (size_t)ftell(copy) == 0 && fgetc(copy) == EOF && feof(copy) && !ferror(copy)) report("%d\n", 0);
  fclose(copy);
}

int main(int argc, char **argv) {
  int *grown = calloc(4, sizeof *grown);
  grown = realloc(grown, 8 * sizeof *grown);
  if (grown == NULL || argc > 100) exit(EXIT_FAILURE);
  free(grown);
  text(), numbers(), files();
  if (getenv("HOME") != NULL && clock() > time(NULL)) return EXIT_FAILURE;
  if (argc > 101) abort();
  return argv[0] == NULL;
}
