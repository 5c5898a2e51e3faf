/* Words of a text: split, copied, sorted with qsort, counted, looked up. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
  static const char *pieces[] = {"the shadow of", "memory, that", "was; freed", "before it", "is read and", "written or",
                                 "a pointer to", "nothing at", "all can be", "found here"};
  enum { SIZE = 1500000 };
  char *text = malloc(SIZE), **words = malloc(SIZE * sizeof *words);
  unsigned random = 3, found = 0;
  size_t length = 0, count = 0;
  text[0] = 0;
  while (length + 40 < SIZE) {
    random = random * 1103515245 + 12345;
    length += strlen(strcpy(text + length, pieces[(random >> 16) % 10]));
    text[length++] = ' ';
    text[length] = 0;
  }
  for (char *word = strtok(text, " ,;"); word; word = strtok(NULL, " ,;")) {
    char *copy = strdup(word);
    for (char *c = copy; *c; c++) *c = (char)toupper((unsigned char)*c);
    words[count++] = copy;
  }
  qsort(words, count, sizeof *words, by_text);
  size_t different = 1;
  for (size_t i = 1; i < count; i++) different += strcmp(words[i - 1], words[i]) != 0;
  for (size_t i = 0; i < count; i++) {
    const char *key = words[(i * 7919) % count];
    found += bsearch(&key, words, count, sizeof *words, by_text) != NULL;
    found += strchr(key, 'E') != NULL;
    found += strstr(key, "RE") != NULL;
    found += memchr(key, 'T', strlen(key)) != NULL;
  }
  printf("%zu %zu %u\n", count, different, found);
  for (size_t i = 0; i < count; i++) free(words[i]);
  free(words);
  free(text);
  return 0;
}
