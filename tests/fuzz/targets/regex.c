/* A matcher of regular expressions, pattern and text divided by a line; a class without an end runs on. With -DFIXED it does not. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pattern {
  const char *at, *end;
};

static int match_here(struct pattern p, const char *text, const char *end, int depth);

/* The end of the item at the start of the pattern. */
static const char *item_end(struct pattern p) {
  if (*p.at == '\\') return p.at + 1 < p.end ? p.at + 2 : p.end;
  if (*p.at != '[') return p.at + 1;
  const char *at = p.at + 1;
#ifdef FIXED
  while (at < p.end && *at != ']') at++;
  return at < p.end ? at + 1 : p.end;
#else
  while (*at != ']') at++;
  return at + 1;
#endif
}

static int matches(struct pattern p, const char *item, char c) {
  if (*p.at == '.') return 1;
  if (*p.at == '\\') return item > p.at + 1 && p.at[1] == c;
  if (*p.at != '[') return *p.at == c;
  for (const char *at = p.at + 1; at + 1 < item; at++) {
    if (at + 3 < item && at[1] == '-') {
      if (c >= at[0] && c <= at[2]) return 1;
      at += 2;
    } else if (*at == c) return 1;
  }
  return 0;
}

static int match_star(struct pattern p, const char *item, const char *text, const char *end, int depth) {
  struct pattern rest = {item + 1, p.end};
  for (;; text++) {
    if (match_here(rest, text, end, depth + 1)) return 1;
    if (text == end || !matches(p, item, *text)) return 0;
  }
}

/* Patterns with many stars take long. */
static int patience;

static int match_here(struct pattern p, const char *text, const char *end, int depth) {
  if (depth > 8 || --patience < 0) return 0;
  while (p.at < p.end) {
    if (*p.at == '$' && p.at + 1 == p.end) return text == end;
    const char *item = item_end(p);
    if (item < p.end && *item == '*') return match_star(p, item, text, end, depth);
    if (text == end || !matches(p, item, *text)) return 0;
    p.at = item, text++;
  }
  return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *line = memchr(data, '\n', size);
  if (!line) return 0;
  size_t pattern_size = (size_t)(line - data), text_size = size - pattern_size - 1;
  if (text_size > 64 || pattern_size > 64) return 0;
  char *pattern = malloc(pattern_size), *text = malloc(text_size);
  memcpy(pattern, data, pattern_size);
  memcpy(text, line + 1, text_size);
  struct pattern p = {pattern, pattern + pattern_size};
  patience = 500;
  for (size_t i = 0; i <= text_size; i++)
    if (match_here(p, text + i, text + text_size, 0)) break;
  free(pattern);
  free(text);
  return 0;
}
