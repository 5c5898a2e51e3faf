#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expat.h"

struct totals {
  long elements, attributes, characters;
};

static void open_element(void *user, const XML_Char *name, const XML_Char **attributes) {
  struct totals *totals = user;
  totals->elements += (long)strlen(name);
  for (; *attributes; attributes += 2) totals->attributes += attributes[1][0];
}
static void close_element(void *user, const XML_Char *name) { ((struct totals *)user)->elements -= name[0] == 'i'; }
static void characters(void *user, const XML_Char *text, int n) { ((struct totals *)user)->characters += n + text[0]; }

int main(void) {
  enum { SIZE = 400000 };
  char *document = malloc(SIZE);
  int n = sprintf(document, "<?xml version=\"1.0\"?>\n<list>");
  for (int i = 0; n < SIZE - 300; i++)
    n += sprintf(document + n, "<item id=\"n%d\" kind='%s'><name>item number %d &amp; more</name><!-- a comment --><empty/>text</item>\n", i,
                 i % 3 ? "odd" : "even one", i * 7);
  n += sprintf(document + n, "</list>");
  struct totals totals = {0};
  for (int round = 0; round < 25; round++) {
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, &totals);
    XML_SetElementHandler(parser, open_element, close_element);
    XML_SetCharacterDataHandler(parser, characters);
    if (XML_Parse(parser, document, n, 1) == XML_STATUS_ERROR) return puts(XML_ErrorString(XML_GetErrorCode(parser))), 1;
    XML_ParserFree(parser);
  }
  printf("%ld %ld %ld\n", totals.elements, totals.attributes, totals.characters);
  free(document);
  return 0;
}
