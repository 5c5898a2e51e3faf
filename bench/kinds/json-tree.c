/* A tree of JSON: parsed, printed and freed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NUMBER, STRING, ARRAY, OBJECT };

struct value {
  enum kind kind;
  char *key, *string;
  double number;
  struct value *child, *next;
};

static const char *skip(const char *at) {
  while (*at == ' ' || *at == '\n' || *at == ',' || *at == ':') at++;
  return at;
}

static const char *parse_string(const char *at, char **string) {
  const char *end = ++at;
  size_t length = 0;
  for (; *end != '"'; end++, length++)
    if (*end == '\\') end++;
  char *to = *string = malloc(length + 1);
  for (; at < end; at++) *to++ = *at == '\\' ? *++at : *at;
  *to = 0;
  return end + 1;
}

static const char *parse(const char *at, struct value **result);

static const char *parse_children(const char *at, struct value *parent, char close) {
  struct value **tail = &parent->child;
  for (at = skip(at + 1); *at != close; at = skip(at)) {
    char *key = NULL;
    if (close == '}') at = skip(parse_string(at, &key));
    at = parse(at, tail);
    (*tail)->key = key;
    tail = &(*tail)->next;
  }
  return at + 1;
}

static const char *parse(const char *at, struct value **result) {
  struct value *value = *result = calloc(1, sizeof *value);
  at = skip(at);
  switch (*at) {
  case '{': value->kind = OBJECT; return parse_children(at, value, '}');
  case '[': value->kind = ARRAY; return parse_children(at, value, ']');
  case '"': value->kind = STRING; return parse_string(at, &value->string);
  default: {
    char *end;
    value->number = strtod(at, &end);
    return end;
  }
  }
}

static size_t print_string(char *to, const char *string) {
  char *at = to;
  *at++ = '"';
  for (; *string; string++) {
    if (*string == '"' || *string == '\\') *at++ = '\\';
    *at++ = *string;
  }
  *at++ = '"';
  return (size_t)(at - to);
}

static size_t print(char *to, const struct value *value) {
  char *at = to;
  if (value->kind == NUMBER) return (size_t)sprintf(to, "%g", value->number);
  if (value->kind == STRING) return print_string(to, value->string);
  *at++ = value->kind == OBJECT ? '{' : '[';
  for (const struct value *child = value->child; child; child = child->next) {
    if (child->key) at += print_string(at, child->key), *at++ = ':';
    at += print(at, child);
    if (child->next) *at++ = ',';
  }
  *at++ = value->kind == OBJECT ? '}' : ']';
  return (size_t)(at - to);
}

static void release(struct value *value) {
  while (value) {
    struct value *next = value->next;
    release(value->child);
    free(value->key);
    free(value->string);
    free(value);
    value = next;
  }
}

int main(void) {
  char *text = malloc(100000), *printed = malloc(100000);
  size_t length = 0;
  text[length++] = '[';
  for (int i = 0; i < 400; i++)
    length += (size_t)sprintf(text + length, "{\"id\": %d, \"name\": \"item \\\"%d\\\"\", \"tags\": [\"a\", \"bb\", %d.5], \"in\": {\"x\": 1, \"y\": -2}}, ",
                              i, i * i, i);
  text[length++] = ']';
  text[length] = 0;
  unsigned hash = 0;
  for (int round = 0; round < 200; round++) {
    struct value *root;
    parse(text, &root);
    size_t n = print(printed, root);
    for (size_t i = 0; i < n; i++) hash = hash * 31 + (unsigned char)printed[i];
    release(root);
  }
  printf("%u\n", hash);
  free(text);
  free(printed);
  return 0;
}
