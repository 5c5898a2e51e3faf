#include <stdio.h>
#include <string.h>

#include "text.h"
#include "zlib.h"

/* deflate reads entries of `prev` that were never written, which check reports, so blocks are zeroed. */
static voidpf zeroed(voidpf opaque, uInt count, uInt each) {
  (void)opaque;
  return calloc(count, each);
}

static void release(voidpf opaque, voidpf block) {
  (void)opaque;
  free(block);
}

static uLong pack(Bytef *to, uLong bound, const char *text, uLong length, int level) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  stream.zalloc = zeroed, stream.zfree = release;
  deflateInit(&stream, level);
  stream.next_in = (Bytef *)text, stream.avail_in = (uInt)length;
  stream.next_out = to, stream.avail_out = (uInt)bound;
  deflate(&stream, Z_FINISH);
  deflateEnd(&stream);
  return stream.total_out;
}

int main(void) {
  enum { SIZE = 2 << 20 };
  char *text = make_text(SIZE);
  uLong bound = compressBound(SIZE), total = 0;
  Bytef *packed = malloc(bound), *back = malloc(SIZE);
  int equal = 1;
  for (int level = 1; level <= 7; level += 3) {
    uLongf length = SIZE;
    uLong n = pack(packed, bound, text, SIZE, level);
    total += n;
    equal &= uncompress(back, &length, packed, n) == Z_OK && memcmp(text, back, SIZE) == 0;
  }
  printf("%lu %d\n", total, equal);
  free(text), free(packed), free(back);
  return 0;
}
