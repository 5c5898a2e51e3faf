/* Parses a document whose middle is read from standard input, with expat. */
#include <stdio.h>
#include "expat.h"

static int depth, deepest;

static void open_element(void *user, const XML_Char *name, const XML_Char **attributes) {
  (void)user, (void)name, (void)attributes;
  if (++depth > deepest) deepest = depth;
}

static void close_element(void *user, const XML_Char *name) {
  (void)user, (void)name;
  depth--;
}

int main(void) {
  char text[64] = "<a b='c'>";
  size_t n = 9 + fread(text + 9, 1, 16, stdin);
  XML_Parser parser = XML_ParserCreate(NULL);
  if (parser == NULL) return 2;
  XML_SetElementHandler(parser, open_element, close_element);
  int failed = XML_Parse(parser, text, (int)n, 1) == XML_STATUS_ERROR;
  int error = failed ? (int)XML_GetErrorCode(parser) : 0;
  XML_ParserFree(parser);
  return error + deepest;
}
