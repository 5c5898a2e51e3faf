#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* Blocks of all sizes and alignments, live and freed in random order, whose bytes must stay as they were written. */
enum { SLOTS = 300 };
static unsigned random_state = 1;
static unsigned next(void) { return (random_state = random_state * 1103515245 + 12345) >> 8; }
int main(void) {
  static unsigned char *blocks[SLOTS];
  static size_t sizes[SLOTS];
  for (int round = 0; round < 60000; round++) {
    unsigned slot = next() % SLOTS;
    unsigned char *block = blocks[slot];
    size_t old = sizes[slot], size = (size_t)1 << next() % 17;
    size += next() % size;
    if (block && (block[0] != (unsigned char)slot || block[old - 1] != (unsigned char)slot || block[old / 2] != (unsigned char)slot)) return 1;
    switch (next() % 4) {
      case 0:
        block = realloc(block, size);
        if (block && old && block[(size < old ? size : old) / 2] != (unsigned char)slot) return 2;
        break;
      case 1: {
        size_t alignment = (size_t)16 << next() % 9;
        free(block);
        block = aligned_alloc(alignment, size = (size + alignment - 1) & -alignment);
        if ((uintptr_t)block & (alignment - 1)) return 3;
        break;
      }
      default:
        free(block);
        block = malloc(size);
    }
    if (!block) return 4;
    memset(block, (int)slot, size);
    blocks[slot] = block, sizes[slot] = size;
  }
  for (int slot = 0; slot < SLOTS; slot++) free(blocks[slot]);
  puts("done");
}
