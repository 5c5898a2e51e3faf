/* A parser with callbacks, like those for XML. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct handler {
  void (*open)(void *user, const char *name, size_t length);
  void (*close)(void *user, const char *name, size_t length);
  void (*text)(void *user, const char *text, size_t length);
  void *user;
};

struct parser {
  const char *at, *end;
  struct handler handler;
  int depth;
};

struct totals {
  long opened, closed, characters, deepest;
  unsigned hash;
};

static void on_open(void *user, const char *name, size_t length) {
  struct totals *totals = user;
  totals->opened++;
  for (size_t i = 0; i < length; i++) totals->hash = totals->hash * 31 + (unsigned char)name[i];
}

static void on_close(void *user, const char *name, size_t length) {
  struct totals *totals = user;
  totals->closed++;
  totals->hash ^= (unsigned)length + (unsigned char)name[0];
}

static void on_text(void *user, const char *text, size_t length) {
  struct totals *totals = user;
  for (size_t i = 0; i < length; i++) totals->characters += !isspace((unsigned char)text[i]);
}

static const char *name_end(const char *at, const char *end) {
  while (at < end && (isalnum((unsigned char)*at) || *at == '-' || *at == '_')) at++;
  return at;
}

static int parse_element(struct parser *parser);

static int parse_content(struct parser *parser) {
  while (parser->at < parser->end) {
    const char *start = parser->at;
    while (parser->at < parser->end && *parser->at != '<') parser->at++;
    if (parser->at > start) parser->handler.text(parser->handler.user, start, (size_t)(parser->at - start));
    if (parser->at + 1 >= parser->end || parser->at[1] == '/') return 1;
    if (!parse_element(parser)) return 0;
  }
  return 1;
}

static int parse_element(struct parser *parser) {
  const char *name = parser->at + 1, *end = name_end(name, parser->end);
  size_t length = (size_t)(end - name);
  if (length == 0) return 0;
  while (end < parser->end && *end != '>') end++;
  parser->at = end + 1;
  parser->handler.open(parser->handler.user, name, length);
  parser->depth++;
  if (!parse_content(parser)) return 0;
  parser->depth--;
  if (parser->at + 2 + length >= parser->end || strncmp(parser->at + 2, name, length) != 0) return 0;
  parser->handler.close(parser->handler.user, name, length);
  parser->at += 3 + length;
  return 1;
}

static size_t write_document(char *to, size_t size) {
  static const char *names[] = {"book", "title", "author-name", "chapter", "p"};
  size_t n = (size_t)snprintf(to, size, "<library>");
  for (int i = 0; n + 400 < size; i++) {
    const char *outer = names[i % 4], *inner = names[(i + 3) % 5];
    n += (size_t)sprintf(to + n, "<%s id=\"%d\">some words of text %d<%s>and more of it</%s>\n</%s>", outer, i, i * 7,
                         inner, inner, outer);
  }
  return n + (size_t)sprintf(to + n, "</library>");
}

int main(void) {
  const size_t size = 200000;
  char *document = malloc(size);
  size_t length = write_document(document, size);
  struct totals totals = {0};
  for (int round = 0; round < 400; round++) {
    struct parser parser = {document, document + length, {on_open, on_close, on_text, &totals}, 0};
    if (!parse_element(&parser)) return 1;
  }
  printf("%ld %ld %ld %u\n", totals.opened, totals.closed, totals.characters, totals.hash);
  free(document);
  return 0;
}
