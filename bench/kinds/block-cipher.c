/* A block cipher of bytes: a substitution box, shifted rows and mixed columns, in a chain. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 10

static uint8_t box[256];

struct context {
  uint8_t keys[16 * (ROUNDS + 1)];
  uint8_t chain[16];
};

typedef uint8_t block[4][4];

static void add_key(int round, block *state, const uint8_t *keys) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) (*state)[i][j] ^= keys[round * 16 + i * 4 + j];
}

static void substitute(block *state) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) (*state)[j][i] = box[(*state)[j][i]];
}

static void shift_rows(block *state) {
  for (int row = 1; row < 4; row++) {
    uint8_t moved[4];
    for (int i = 0; i < 4; i++) moved[i] = (*state)[(i + row) % 4][row];
    for (int i = 0; i < 4; i++) (*state)[i][row] = moved[i];
  }
}

static uint8_t twice(uint8_t x) { return (uint8_t)(x << 1 ^ (x >> 7) * 0x1b); }

static void mix_columns(block *state) {
  for (int i = 0; i < 4; i++) {
    uint8_t first = (*state)[i][0], all = (*state)[i][0] ^ (*state)[i][1] ^ (*state)[i][2] ^ (*state)[i][3];
    for (int j = 0; j < 3; j++) (*state)[i][j] ^= twice((*state)[i][j] ^ (*state)[i][j + 1]) ^ all;
    (*state)[i][3] ^= twice((*state)[i][3] ^ first) ^ all;
  }
}

static void encrypt_block(block *state, const uint8_t *keys) {
  add_key(0, state, keys);
  for (int round = 1; round < ROUNDS; round++) {
    substitute(state);
    shift_rows(state);
    mix_columns(state);
    add_key(round, state, keys);
  }
  substitute(state);
  shift_rows(state);
  add_key(ROUNDS, state, keys);
}

static void encrypt(struct context *context, uint8_t *data, size_t length) {
  const uint8_t *chain = context->chain;
  for (size_t at = 0; at < length; at += 16, data += 16) {
    for (int i = 0; i < 16; i++) data[i] ^= chain[i];
    encrypt_block((block *)data, context->keys);
    chain = data;
  }
  memcpy(context->chain, chain, 16);
}

int main(void) {
  const size_t length = 1 << 21;
  for (int i = 0; i < 256; i++) box[i] = (uint8_t)((i * 167 + 13) ^ i >> 3);
  struct context context;
  for (size_t i = 0; i < sizeof context.keys; i++) context.keys[i] = (uint8_t)(i * 29 + (i >> 2));
  memset(context.chain, 7, sizeof context.chain);
  uint8_t *data = malloc(length);
  for (size_t i = 0; i < length; i++) data[i] = (uint8_t)i;
  encrypt(&context, data, length);
  unsigned sum = 0;
  for (size_t i = 0; i < length; i++) sum = sum * 31 + data[i];
  printf("%u\n", sum);
  free(data);
  return 0;
}
