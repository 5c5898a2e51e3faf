/* Compression in the manner of LZ77: chains of equal hashes, the longest match, and back again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 32768
#define HASHES 4096
#define LONGEST 258

struct matcher {
  const unsigned char *data;
  int length;
  int head[HASHES], previous[WINDOW];
};

static unsigned hash_at(const unsigned char *p) { return ((p[0] << 8 ^ p[1] << 4 ^ p[2]) * 2654435761u) >> 20; }

static int longest_match(const struct matcher *matcher, int at, int *from) {
  int best = 2, limit = matcher->length - at < LONGEST ? matcher->length - at : LONGEST, chain = 32;
  const unsigned char *here = matcher->data + at;
  for (int candidate = matcher->head[hash_at(here)]; candidate >= 0 && at - candidate < WINDOW && chain-- > 0;
       candidate = matcher->previous[candidate % WINDOW]) {
    const unsigned char *there = matcher->data + candidate;
    if (best < limit && there[best] != here[best]) continue;
    int n = 0;
    while (n < limit && there[n] == here[n]) n++;
    if (n > best) best = n, *from = candidate;
    if (n == limit) break;
  }
  return best;
}

static void enter(struct matcher *matcher, int at) {
  unsigned hash = hash_at(matcher->data + at);
  matcher->previous[at % WINDOW] = matcher->head[hash];
  matcher->head[hash] = at;
}

static int compress(struct matcher *matcher, unsigned char *out) {
  int n = 0;
  for (int at = 0; at < matcher->length;) {
    int from = 0, length = at + 3 <= matcher->length ? longest_match(matcher, at, &from) : 0;
    if (length < 3) {
      out[n++] = 0, out[n++] = matcher->data[at];
      length = 1;
    } else {
      int distance = at - from;
      out[n++] = 1, out[n++] = (unsigned char)(length - 3), out[n++] = (unsigned char)(distance >> 8), out[n++] = (unsigned char)distance;
    }
    for (int end = at + length; at < end; at++)
      if (at + 3 <= matcher->length) enter(matcher, at);
  }
  return n;
}

static int expand(const unsigned char *in, int length, unsigned char *out) {
  int n = 0;
  for (int i = 0; i < length;) {
    if (in[i] == 0) {
      out[n++] = in[i + 1];
      i += 2;
    } else {
      int count = in[i + 1] + 3, distance = in[i + 2] << 8 | in[i + 3];
      for (int end = n + count; n < end; n++) out[n] = out[n - distance];
      i += 4;
    }
  }
  return n;
}

int main(void) {
  enum { SIZE = 1 << 23 };
  static const char *words[] = {"memory ", "pointer ", "block ", "of ", "the ", "shadow ", "is ", "freed ", "and ", "read.\n"};
  unsigned char *data = malloc(SIZE + 16), *packed = malloc(2 * SIZE + 16), *back = malloc(SIZE + 16);
  unsigned random = 1;
  int n = 0;
  while (n < SIZE - 16) {
    random = random * 1103515245 + 12345;
    const char *word = words[(random >> 16) % 10];
    size_t length = strlen(word);
    memcpy(data + n, word, length);
    n += (int)length;
    if ((random >> 24) % 7 == 0) data[n++] = (unsigned char)(random >> 8);
  }
  struct matcher *matcher = malloc(sizeof *matcher);
  matcher->data = data, matcher->length = n;
  for (int i = 0; i < HASHES; i++) matcher->head[i] = -1;
  int packed_length = compress(matcher, packed), back_length = expand(packed, packed_length, back);
  printf("%d %d %d\n", n, packed_length, back_length == n && memcmp(data, back, (size_t)n) == 0);
  free(matcher), free(data), free(packed), free(back);
  return 0;
}
