/* Strings that grow: pieces are appended, the buffer is made larger by realloc. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder {
  char *text;
  size_t length, capacity;
};

static void reserve(struct builder *builder, size_t more) {
  if (builder->length + more + 1 <= builder->capacity) return;
  while (builder->length + more + 1 > builder->capacity) builder->capacity = builder->capacity ? builder->capacity * 2 : 16;
  builder->text = realloc(builder->text, builder->capacity);
}

static void append(struct builder *builder, const char *piece) {
  size_t length = strlen(piece);
  reserve(builder, length);
  memcpy(builder->text + builder->length, piece, length + 1);
  builder->length += length;
}

static void append_character(struct builder *builder, char c) {
  reserve(builder, 1);
  builder->text[builder->length++] = c;
  builder->text[builder->length] = 0;
}

static void append_number(struct builder *builder, int number) {
  char digits[16];
  int n = 15;
  digits[n] = 0;
  do digits[--n] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  append(builder, digits + n);
}

int main(void) {
  static const char *words[] = {"alpha", "be", "gamma-ray", "d", "epsilon and zeta", "eta"};
  unsigned long hash = 0, total = 0;
  for (int round = 0; round < 50000; round++) {
    struct builder builder = {0};
    for (int i = 0; i < 40; i++) {
      append(&builder, words[(round + i) % 6]);
      append_character(&builder, '=');
      append_number(&builder, round * i);
      append_character(&builder, ';');
    }
    for (size_t i = 0; i < builder.length; i += 7) hash = hash * 31 + (unsigned char)builder.text[i];
    total += builder.length;
    free(builder.text);
  }
  printf("%lu %lu\n", hash, total);
  return 0;
}
