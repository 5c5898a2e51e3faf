/* A text that looks like one: the same everywhere. */
#include <stdlib.h>
#include <string.h>

static char *make_text(size_t size) {
  static const char *words[] = {"memory", "pointer", "block", "of", "the", "shadow", "is", "freed", "and", "read",
                                "twice,", "which", "a", "program", "does", "not", "notice;", "we", "do."};
  char *text = malloc(size + 1);
  unsigned random = 1;
  size_t n = 0;
  while (n + 24 < size) {
    random = random * 1103515245 + 12345;
    const char *word = words[(random >> 16) % (sizeof words / sizeof *words)];
    size_t length = strlen(word);
    memcpy(text + n, word, length);
    n += length;
    text[n++] = (random >> 8) % 11 == 0 ? '\n' : ' ';
    if ((random >> 20) % 23 == 0) text[n++] = (char)('0' + (random >> 12) % 10);
  }
  memset(text + n, '.', size - n);
  text[size] = 0;
  return text;
}
