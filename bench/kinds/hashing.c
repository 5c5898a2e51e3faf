/* Hashes of strings in a table with open addressing, and a digest of 32-bit rounds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slot {
  char *key;
  uint32_t hash;
  int count;
};

struct table {
  struct slot *slots;
  size_t capacity, used;
};

static uint32_t hash_of(const char *text) {
  uint32_t hash = 2166136261u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

static struct slot *find(struct table *table, const char *key, uint32_t hash) {
  for (size_t at = hash & (table->capacity - 1);; at = (at + 1) & (table->capacity - 1)) {
    struct slot *slot = &table->slots[at];
    if (!slot->key || (slot->hash == hash && strcmp(slot->key, key) == 0)) return slot;
  }
}

static void grow(struct table *table) {
  struct table larger = {calloc(table->capacity * 2, sizeof *larger.slots), table->capacity * 2, table->used};
  for (size_t i = 0; i < table->capacity; i++)
    if (table->slots[i].key) *find(&larger, table->slots[i].key, table->slots[i].hash) = table->slots[i];
  free(table->slots);
  *table = larger;
}

static void count(struct table *table, const char *key) {
  uint32_t hash = hash_of(key);
  struct slot *slot = find(table, key, hash);
  if (!slot->key) {
    slot->key = malloc(strlen(key) + 1);
    strcpy(slot->key, key);
    slot->hash = hash;
    if (++table->used * 2 > table->capacity) {
      grow(table);
      slot = find(table, key, hash);
    }
  }
  slot->count++;
}

static uint32_t rotate(uint32_t x, int n) { return x << n | x >> (32 - n); }

static void digest(uint32_t state[4], const unsigned char *data, size_t length) {
  for (size_t at = 0; at + 64 <= length; at += 64) {
    uint32_t words[16], a = state[0], b = state[1], c = state[2], d = state[3];
    for (int i = 0; i < 16; i++)
      words[i] = (uint32_t)data[at + i * 4] | (uint32_t)data[at + i * 4 + 1] << 8 | (uint32_t)data[at + i * 4 + 2] << 16 |
                 (uint32_t)data[at + i * 4 + 3] << 24;
    for (int i = 0; i < 64; i++) {
      uint32_t f = i < 16 ? (b & c) | (~b & d) : i < 32 ? (d & b) | (~d & c) : i < 48 ? b ^ c ^ d : c ^ (b | ~d);
      uint32_t moved = a + f + 0x5a827999u * (uint32_t)(i + 1) + words[(i * (i < 16 ? 1 : i < 32 ? 5 : i < 48 ? 3 : 7) + i / 16) & 15];
      a = d, d = c, c = b;
      b += rotate(moved, 5 + i % 4 * 5);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  }
}

int main(void) {
  struct table table = {calloc(64, sizeof *table.slots), 64, 0};
  char key[32];
  unsigned random = 7;
  for (int i = 0; i < 900000; i++) {
    random = random * 1103515245 + 12345;
    int n = 0;
    key[n++] = 'k';
    for (unsigned value = (random >> 12) % 9000; value; value /= 26) key[n++] = (char)('a' + value % 26);
    key[n] = 0;
    count(&table, key);
  }
  unsigned char *data = malloc(1 << 20);
  for (int i = 0; i < 1 << 20; i++) data[i] = (unsigned char)(i * 7 + (i >> 8));
  uint32_t state[4] = {1, 2, 3, 4};
  for (int round = 0; round < 12; round++) digest(state, data, 1 << 20);
  long most = 0;
  for (size_t i = 0; i < table.capacity; i++) {
    if (table.slots[i].count > most) most = table.slots[i].count;
    free(table.slots[i].key);
  }
  printf("%zu %ld %08x%08x\n", table.used, most, state[0], state[3]);
  free(table.slots);
  free(data);
  return 0;
}
