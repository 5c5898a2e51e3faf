#include <stdio.h>

#include "text.h"
#include "zopfli.h"

int main(void) {
  enum { SIZE = 40000 };
  char *text = make_text(SIZE);
  ZopfliOptions options;
  ZopfliInitOptions(&options);
  options.numiterations = 5;
  unsigned char *out = NULL;
  size_t n = 0;
  ZopfliCompress(&options, ZOPFLI_FORMAT_GZIP, (const unsigned char *)text, SIZE, &out, &n);
  printf("%zu\n", n);
  free(text), free(out);
  return 0;
}
