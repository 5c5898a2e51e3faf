/* pointer-set: a hash table whose keys are addresses, as the caches of `find` and `du` are. */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>

struct entry {
  void *key;
  struct entry *next;
};

static struct entry *table[8];

static size_t bucket(const void *key) { return ((uintptr_t)key >> 4) % 8; }

int main(void) {
  void *kept[8] = {0};
  int count = 0, c, collisions = 0;
  while ((c = getchar()) != EOF && count < 8) {
    void *block = malloc((size_t)(c & 31) + 1);
    if (!block) break;
    if (c & 32) {
      free(block);
      continue;
    }
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) break;
    entry->key = block;
    entry->next = table[bucket(block)];
    if (entry->next && entry->next->key < block) collisions++;
    table[bucket(block)] = entry;
    kept[count++] = block;
  }
  for (int i = 0; i < 8; i++)
    while (table[i]) {
      struct entry *entry = table[i];
      table[i] = entry->next;
      free(entry);
    }
  for (int i = 0; i < count; i++) free(kept[i]);
  return collisions > 3;
}
