/*
 * Hash tables of strings with a fixed number of places: open addressing, linear probing.
 *
 * Invariant: at most `size` of the 2^k > size slots are filled, so a probe always meets an empty
 * one.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

struct __rz_hash_slot {
  ENTRY entry; /* empty without a key */
};

static size_t slot_count(const struct hsearch_data *table) {
  size_t count = 4;
  while (count <= table->size) count *= 2;
  return count;
}

static size_t hash_of(const char *key) {
  size_t hash = 5381;
  while (*key) hash = hash * 33 + (unsigned char)*key++;
  return hash;
}

int hcreate_r(size_t count, struct hsearch_data *table) {
  if (table->table) return 0;
  if (count > 0x3fffffff) {
    errno = ENOMEM;
    return 0;
  }
  table->size = (unsigned)(count < 3 ? 3 : count);
  table->filled = 0;
  table->table = calloc(slot_count(table), sizeof *table->table);
  return table->table != 0;
}

/* The keys belong to the program. */
void hdestroy_r(struct hsearch_data *table) {
  free(table->table);
  table->table = 0;
}

int hsearch_r(ENTRY item, ACTION action, ENTRY **found, struct hsearch_data *table) {
  const size_t mask = slot_count(table) - 1;
  size_t place = hash_of(item.key) & mask;
  for (; table->table[place].entry.key; place = (place + 1) & mask) {
    if (strcmp(table->table[place].entry.key, item.key) != 0) continue;
    *found = &table->table[place].entry;
    return 1;
  }
  *found = 0;
  if (action == FIND || table->filled == table->size) {
    errno = action == FIND ? ESRCH : ENOMEM;
    return 0;
  }
  table->filled++;
  table->table[place].entry = item;
  *found = &table->table[place].entry;
  return 1;
}

static struct hsearch_data only_table;

int hcreate(size_t count) { return hcreate_r(count, &only_table); }
void hdestroy(void) { hdestroy_r(&only_table); }

ENTRY *hsearch(ENTRY item, ACTION action) {
  ENTRY *found;
  hsearch_r(item, action, &found, &only_table);
  return found;
}
