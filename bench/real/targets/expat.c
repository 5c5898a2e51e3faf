/* expat: a document in two pieces, with handlers for what documents consist of. */
#include <stddef.h>
#include <stdint.h>

#include "expat.h"

static void open_element(void *user, const XML_Char *name, const XML_Char **attributes) {
  for (; *attributes; attributes += 2) *(long *)user += name[0] + attributes[1][0];
}
static void close_element(void *user, const XML_Char *name) { *(long *)user -= name[0]; }
static void characters(void *user, const XML_Char *text, int bytes) {
  for (int i = 0; i < bytes; i++) *(long *)user += text[i];
}
static void comment(void *user, const XML_Char *text) { *(long *)user += text[0]; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  long total = 0;
  XML_Parser parser = XML_ParserCreate(NULL);
  if (!parser) return 0;
  XML_SetUserData(parser, &total);
  XML_SetElementHandler(parser, open_element, close_element);
  XML_SetCharacterDataHandler(parser, characters);
  XML_SetCommentHandler(parser, comment);
  int first = (int)(size / 2);
  if (XML_Parse(parser, (const char *)data, first, 0) != XML_STATUS_ERROR)
    XML_Parse(parser, (const char *)data + first, (int)size - first, 1);
  XML_ParserFree(parser);
  return 0;
}
