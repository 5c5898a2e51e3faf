/* json: a tree of the values on standard input. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct value {
  char kind;
  long number;
  struct value *first, *next;
};

static int at;
static void next(void) {
  do at = getchar();
  while (at == ' ');
}

static void release(struct value *value) {
  while (value) {
    struct value *following = value->next;
    release(value->first);
    free(value);
    value = following;
  }
}

static struct value *parse(int depth) {
  struct value *value = calloc(1, sizeof *value);
  if (!value || depth > 3) return value;
  if (isdigit(at)) {
    value->kind = 'n';
    while (isdigit(at)) {
      value->number = value->number * 10 + at - '0';
      next();
    }
  } else if (at == '[') {
    value->kind = 'a';
    next();
    struct value **end = &value->first;
    while (at != ']' && at != EOF) {
      *end = parse(depth + 1);
      if (!*end || !(*end)->kind) break;
      end = &(*end)->next;
      if (at == ',') next();
    }
    if (at == ']') next();
  } else if (at == 't' || at == 'f') {
    value->kind = 'b';
    next();
  }
  return value;
}

int main(void) {
  next();
  struct value *root = parse(0);
  int is_good = root && root->kind && (at == EOF || at == '\n');
  release(root);
  return !is_good;
}
