/* A small JSON parser; a string may end inside `\u`, where four digits are read. With -DFIXED the end is checked. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  const char *at, *end;
  int depth;
};

static int value(struct reader *r);

static void space(struct reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r')) r->at++;
}

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int string(struct reader *r) {
  for (r->at++; r->at < r->end && *r->at != '"'; r->at++) {
    if (*r->at != '\\') continue;
    if (++r->at == r->end) return 0;
    if (*r->at == 'u') {
#ifdef FIXED
      if (r->end - r->at < 5) return 0;
#endif
      for (int i = 1; i <= 4; i++)
        if (digit(r->at[i]) < 0) return 0;
      r->at += 4;
    } else if (!strchr("\"\\/bfnrt", *r->at)) return 0;
  }
  return r->at < r->end ? (r->at++, 1) : 0;
}

static int number(struct reader *r) {
  if (*r->at == '-') r->at++;
  const char *start = r->at;
  while (r->at < r->end && isdigit((unsigned char)*r->at)) r->at++;
  return r->at > start;
}

static int list(struct reader *r, char close, int has_keys) {
  if (++r->depth > 50) return 0;
  for (r->at++, space(r); r->at < r->end; space(r)) {
    if (*r->at == close) return r->depth--, r->at++, 1;
    if (has_keys) {
      if (*r->at != '"' || !string(r)) return 0;
      space(r);
      if (r->at == r->end || *r->at++ != ':') return 0;
    }
    if (!value(r)) return 0;
    space(r);
    if (r->at < r->end && *r->at == ',') r->at++;
    else if (r->at == r->end || *r->at != close) return 0;
  }
  return 0;
}

static int word(struct reader *r, const char *expected) {
  size_t length = strlen(expected);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, expected, length) != 0) return 0;
  r->at += length;
  return 1;
}

static int value(struct reader *r) {
  space(r);
  if (r->at == r->end) return 0;
  switch (*r->at) {
    case '{': return list(r, '}', 1);
    case '[': return list(r, ']', 0);
    case '"': return string(r);
    case 't': return word(r, "true");
    case 'f': return word(r, "false");
    case 'n': return word(r, "null");
    default: return number(r);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size);
  memcpy(text, data, size);
  struct reader r = {text, text + size, 0};
  value(&r);
  free(text);
  return 0;
}
