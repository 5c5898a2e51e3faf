/* See argp-text.h. */
#include "argp-text.h"

#include <stdlib.h>
#include <string.h>

static void append(struct __rz_argp_text *text, char character) {
  if (text->length + 1 >= text->capacity) {
    const size_t capacity = text->capacity ? 2 * text->capacity : 256;
    char *line = realloc(text->line, capacity);
    if (!line) return;
    text->line = line;
    text->capacity = capacity;
  }
  text->line[text->length++] = character;
}

static int is_blank(char character) { return character == ' ' || character == '\t'; }

/* Writes the line up to the last blank before the margin, and begins the next with the rest. */
static void break_line(struct __rz_argp_text *text) {
  const char *line = text->line;
  size_t at = RIGHT_MARGIN, least = text->continued;
  while (at > least && !is_blank(line[at])) at--;
  if (at <= least) {
    at = RIGHT_MARGIN;
    while (at < text->length && !is_blank(line[at])) at++;
    if (at == text->length) return;
  }
  size_t end = at, next = at;
  while (end > 0 && is_blank(line[end - 1])) end--;
  while (next < text->length && is_blank(line[next])) next++;
  fprintf(text->stream, "%.*s\n", (int)end, line);
  const size_t rest = text->length - next;
  char *copy = malloc(rest + 1);
  if (!copy) return;
  memcpy(copy, line + next, rest);
  text->length = 0;
  for (size_t i = 0; i < text->continued; i++) append(text, ' ');
  for (size_t i = 0; i < rest; i++) append(text, copy[i]);
  free(copy);
}

void __rz_argp_put(struct __rz_argp_text *text, const char *part) {
  for (; *part; part++) {
    if (*part == '\n') {
      fprintf(text->stream, "%.*s\n", (int)text->length, text->line ? text->line : "");
      text->length = 0;
      continue;
    }
    if (text->length == 0)
      for (size_t i = 0; i < text->margin; i++) append(text, ' ');
    append(text, *part);
    if (text->length > RIGHT_MARGIN) break_line(text);
  }
}

void __rz_argp_indent(struct __rz_argp_text *text, size_t column) {
  while (text->length < column) append(text, ' ');
}

/* A blank before `wanted` columns, or a new line if they do not fit. */
void __rz_argp_space(struct __rz_argp_text *text, size_t wanted) {
  __rz_argp_put(text, text->length + wanted >= RIGHT_MARGIN ? "\n" : " ");
}

void __rz_argp_flush(struct __rz_argp_text *text) {
  fprintf(text->stream, "%.*s", (int)text->length, text->line ? text->line : "");
  free(text->line);
  text->line = 0;
  text->length = text->capacity = 0;
}
