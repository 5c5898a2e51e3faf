/* Regular expressions: compiled to nodes, matched by backtracking. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { CHARACTER, ANY, SET, STAR, PLUS, OPTION, GROUP, END };

struct node {
  enum kind kind;
  char character;
  unsigned char set[32];
  struct node *inner, *other, *next;
};

static const char *compile(const char *at, struct node **to);

static const char *compile_atom(const char *at, struct node **to) {
  struct node *node = *to = calloc(1, sizeof *node);
  if (*at == '.') {
    node->kind = ANY;
    return at + 1;
  }
  if (*at == '(') {
    node->kind = GROUP;
    at = compile(at + 1, &node->inner);
    if (*at == '|') at = compile(at + 1, &node->other);
    return at + 1;
  }
  if (*at == '[') {
    node->kind = SET;
    for (at++; *at != ']'; at++) {
      int last = at[1] == '-' ? at[2] : *at;
      for (int c = *at; c <= last; c++) node->set[c / 8] |= (unsigned char)(1 << c % 8);
      if (at[1] == '-') at += 2;
    }
    return at + 1;
  }
  node->kind = CHARACTER;
  node->character = *at;
  return at + 1;
}

static const char *compile(const char *at, struct node **to) {
  while (*at && *at != ')' && *at != '|') {
    struct node *atom;
    at = compile_atom(at, &atom);
    if (*at == '*' || *at == '+' || *at == '?') {
      struct node *node = calloc(1, sizeof *node);
      node->kind = *at == '*' ? STAR : *at == '+' ? PLUS : OPTION;
      node->inner = atom;
      atom = node;
      at++;
    }
    *to = atom;
    to = &atom->next;
  }
  return at;
}

/* The rest to match after the end of a sequence. */
struct rest {
  const struct node *node;
  const struct rest *then;
};

static const char *match(const struct node *node, const char *text, const struct rest *rest);

static const char *match_one(const struct node *node, const char *text) {
  unsigned char c = (unsigned char)*text;
  if (c == 0) return NULL;
  if (node->kind == ANY) return text + 1;
  if (node->kind == CHARACTER) return (char)c == node->character ? text + 1 : NULL;
  return node->set[c / 8] >> c % 8 & 1 ? text + 1 : NULL;
}

static const char *match_many(const struct node *node, const char *text, const struct rest *rest) {
  const char *at = text, *end;
  while ((end = match_one(node->inner, at)) != NULL) at = end;
  for (; at >= text + (node->kind == PLUS); at--)
    if ((end = match(node->next, at, rest)) != NULL) return end;
  return NULL;
}

static const char *match(const struct node *node, const char *text, const struct rest *rest) {
  for (; node; node = node->next) {
    const char *end;
    switch (node->kind) {
    case STAR:
    case PLUS: return match_many(node, text, rest);
    case OPTION:
      if ((end = match_one(node->inner, text)) != NULL && (end = match(node->next, end, rest)) != NULL) return end;
      break;
    case GROUP: {
      struct rest then = {node->next, rest};
      if ((end = match(node->inner, text, &then)) != NULL) return end;
      return node->other ? match(node->other, text, &then) : NULL;
    }
    default:
      if ((end = match_one(node, text)) == NULL) return NULL;
      text = end;
    }
  }
  return rest ? match(rest->node, text, rest->then) : text;
}

static void release(struct node *node) {
  if (!node) return;
  release(node->inner), release(node->other), release(node->next);
  free(node);
}

int main(void) {
  static const char *patterns[] = {"[a-z]+@[a-z]+.(com|org)", "(foo|ba[rz])+?[0-9]*x", "a.*b.*c", "[A-Z][a-z]* [A-Z][a-z]*"};
  static const char text[] = "some text with John Smith in it, mail to john@example.org or foo123x and bar77 and abracadabra xyz; "
                             "The Quick brown fox jumps over lazy dogs and Baz Qux writes baz99x to anna@host.com at a later time";
  long found = 0;
  for (int p = 0; p < 4; p++) {
    struct node *pattern = NULL;
    compile(patterns[p], &pattern);
    for (int round = 0; round < 5000; round++)
      for (const char *at = text; *at; at++) {
        const char *end = match(pattern, at, NULL);
        if (end) found += end - at;
      }
    release(pattern);
  }
  printf("%ld\n", found);
  return 0;
}
