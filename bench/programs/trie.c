/* Times the trie of the monitor with one of three searches for the longest common prefix; writes the figures to trie.txt. */
static unsigned linear(unsigned a, unsigned b) {
  unsigned mask = 0;
  for (unsigned bit = 0x80000000u; bit && !((a ^ b) & bit); bit >>= 1) mask |= bit;
  return mask;
}

static unsigned clz(unsigned a, unsigned b) { return (unsigned)(0xffffffff00000000ul >> __builtin_clz(a ^ b)); }

#if defined LINEAR
#define COMMON_PREFIX_MASK linear
#elif defined CLZ
#define COMMON_PREFIX_MASK clz
#endif

static char nodes[16 << 20];
#define NODES ((struct node *)nodes)
#include "../../runtime/monitor/trie.c"

#include <stdio.h>
#include <time.h>

#define COUNT 200000
static u32 addresses[COUNT];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(void) {
  struct trie trie = {0, 0};
  u32 seed = 1, missed = 0;
  double insert = 1e30, find = 1e30, cut = 1e30;
  for (int i = 0; i < COUNT; i++) addresses[i] = (seed = seed * 1664525u + 1013904223u) & 0x3ffffff0u;
  for (int round = 0; round < 5; round++) {
    double t0 = now();
    for (int i = 0; i < COUNT; i++) __rz_trie_insert(&trie, addresses[i], 16, 1);
    double t1 = now();
    for (int i = 0; i < COUNT; i++) missed += __rz_trie_find(&trie, addresses[i] + 5) == 0;
    double t2 = now();
    for (int i = 0; i < COUNT; i++) __rz_trie_remove(&trie, addresses[i], 16);
    double t3 = now();
    if (t1 - t0 < insert) insert = t1 - t0;
    if (t2 - t1 < find) find = t2 - t1;
    if (t3 - t2 < cut) cut = t3 - t2;
  }
  FILE *out = fopen("trie.txt", "w");
  fprintf(out, "insert %.0f   find %.0f   remove %.0f%s\n", insert / COUNT, find / COUNT, cut / COUNT, missed ? "   MISSED" : "");
  fclose(out);
  (void)linear, (void)clz;
  return 0;
}
