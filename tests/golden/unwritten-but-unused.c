// engines: check
// Copies of uninitialized bytes, and bits that are never used: no errors.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct padded {
  char tag;
  long value;
  short tail;
};

struct fields {
  unsigned a : 3, b : 5, c : 24;
};

union number {
  char small;
  long large;
};

static struct padded make(char tag) {
  struct padded made;
  made.tag = tag;
  made.value = tag;
  made.tail = 1;
  return made;
}

struct alone {
  unsigned only : 3;
};

static struct alone alone(unsigned value) {
  struct alone made;
  made.only = value;
  return made;
}

static unsigned only(struct alone one) { return one.only; }

typedef double pair __attribute__((vector_size(16)));

struct vectors {
  int tag;
  pair pair;
};

static int sum_of(struct padded one) { return one.tag + (int)one.value + one.tail; }

int main(void) {
  struct padded a = make(1), b, list[3];
  b = a;
  for (int i = 0; i < 3; i++) list[i] = b;
  memmove(list + 1, list, 2 * sizeof *list);
  struct padded *heap = malloc(4 * sizeof *heap);
  memcpy(heap, list, sizeof list);
  heap = realloc(heap, 8 * sizeof *heap);
  if (sum_of(heap[1]) != 3) return 1;
  heap[7] = heap[6];
  free(heap);

  struct fields fields;
  fields.b = 17;
  fields.a = 5;
  if (fields.b != 17 || fields.a != 5) return 2;
  struct fields copy = fields;
  copy.c = 9;
  if (copy.c + copy.a != 14) return 3;

  if (fwrite(&copy, 1, 1, stdout) != 1 || only(alone(6)) != 6) return 9;

  union number number;
  number.small = 3;
  union number same = number;
  if (same.small != 3) return 4;

  int values[8], other[8];
  for (int i = 0; i < 8; i += 2) values[i] = i;
  for (int i = 0; i < 8; i++) other[i] = values[i];
  if (other[6] != 6) return 5;

  uint32_t word;
  unsigned char *bytes = (unsigned char *)&word;
  bytes[0] = 0x12;
  if ((word & 0xff) != 0x12) return 6;
  word = (word << 8 | 0x34) & 0xffff;
  if (word != 0x1234) return 7;

  char text[64], *end = text + sprintf(text, "%s", "short");
  if (end - text != 5 || strcmp(text, "short") != 0) return 8;

  pair pairs[2];
  for (int i = 0; i < 4; i++) pairs[i / 2][i % 2] = i;
  pair difference = pairs[1] - pairs[0], *first = pairs, before = *first;
  double sum = 0;
  do {
    sum += before[1];
    (*first)[1] = 7;
  } while (sum < 3);
  struct vectors vectors;
  vectors.pair[1] = difference[0];
  if (vectors.pair[1] != 2 || sum != 3) return 10;

  int unused, chosen = 1;
  int *maybe = chosen ? &chosen : &unused;
  return *maybe - 1;
}
