/* malloc and its family keep what is written, whatever the order of calls */
#include <malloc.h>
#include <stdlib.h>

#include "checksum.h"

#define BLOCKS 500

static unsigned char *blocks[BLOCKS], patterns[BLOCKS];
static size_t sizes[BLOCKS];

static size_t random_size(void) {
  static const size_t limits[] = {100, 100, 600, 5000, 100000};
  return random64() % limits[random64() % 5];
}

static void check(int i) {
  for (size_t k = 0; k < sizes[i]; k++)
    if (blocks[i][k] != patterns[i]) printf("block %d is damaged\n", i), exit(1);
}

static void fill(int i) {
  patterns[i] = (unsigned char)random64();
  memset(blocks[i], patterns[i], sizes[i]);
}

int main(void) {
  for (int round = 0; round < 40000; round++) {
    int i = (int)(random64() % BLOCKS);
    if (!blocks[i]) {
      size_t alignment = (size_t)16 << random64() % 8;
      sizes[i] = random_size();
      switch (random64() % 4) {
        case 0:
          blocks[i] = calloc(sizes[i], 1), patterns[i] = 0, check(i);
          break;
        case 1:
          blocks[i] = aligned_alloc(alignment, sizes[i] = (sizes[i] + alignment - 1) / alignment * alignment);
          if ((uintptr_t)blocks[i] % alignment != 0) puts("not aligned");
          break;
        default: blocks[i] = malloc(sizes[i]); break;
      }
      if ((uintptr_t)blocks[i] % 16 != 0 || malloc_usable_size(blocks[i]) < sizes[i]) puts("bad block");
      fill(i);
    } else if (random64() % 3 == 0) {
      size_t size = random_size() + 1, old = sizes[i];
      blocks[i] = realloc(blocks[i], size);
      sizes[i] = size < old ? size : old;
      check(i);
      sizes[i] = size;
      fill(i);
    } else {
      check(i), free(blocks[i]), blocks[i] = NULL;
    }
    add64(sizes[i]);
  }
  for (int i = 0; i < BLOCKS; i++) free(blocks[i]);
  print_sum("malloc");
  void *block, *volatile large = malloc(SIZE_MAX / 2), *volatile overflow = calloc(SIZE_MAX / 2, 4);
  printf("%d %d %d\n", posix_memalign(&block, 64, 10), posix_memalign(&block, 3, 10) != 0, large == NULL);
  printf("%d %d\n", overflow == NULL, reallocarray(NULL, SIZE_MAX / 2, 4) == NULL);
  free(NULL);
  free(block);
}
