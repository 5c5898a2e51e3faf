/* A tokenizer that remembers the last open bracket by its address in an array that grows. With -DFIXED it remembers the index. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct token {
  int kind;
  size_t start, end;
  int is_closed;
};

static struct token *tokens;
static size_t count, capacity;

static struct token *add(int kind, size_t start, size_t end) {
  if (count == capacity) {
    capacity = capacity ? capacity * 2 : 4;
    tokens = realloc(tokens, capacity * sizeof *tokens);
  }
  tokens[count] = (struct token){kind, start, end, 0};
  return &tokens[count++];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
#ifdef FIXED
  size_t open = 0;
#else
  struct token *open = 0;
#endif
  for (size_t i = 0; i < size;) {
    size_t start = i;
    if (isspace(data[i])) {
      i++;
    } else if (isalpha(data[i])) {
      while (i < size && isalnum(data[i])) i++;
      add('a', start, i);
    } else if (isdigit(data[i])) {
      while (i < size && isdigit(data[i])) i++;
      add('0', start, i);
    } else if (data[i] == '(') {
#ifdef FIXED
      add('(', start, ++i);
      open = count;
#else
      open = add('(', start, ++i);
#endif
    } else if (data[i] == ')') {
      add(')', start, ++i);
#ifdef FIXED
      if (open) tokens[open - 1].is_closed = 1;
#else
      if (open) open->is_closed = 1;
#endif
    } else break;
  }
  free(tokens);
  tokens = 0, count = capacity = 0;
  return 0;
}
