/* Stores of all sizes and alignments, from the program and from the library. */
#include <stdlib.h>
#include <string.h>

void scramble(void *at, size_t bytes) { (void)at, (void)bytes; }
void expect_set(void *at, size_t bytes, int is_set) { (void)at, (void)bytes, (void)is_set; }

struct __attribute__((packed)) odd {
  char before;
  long value;
};
struct pair {
  long a, b;
};

static volatile unsigned char sink;

__attribute__((noinline)) static void fill(char *p, size_t n) { memset(p, 1, n); }

static void store(char *p, unsigned kind) {
  switch (kind % 7) {
    case 0: *p = 1; break;
    case 1: *(short *)(p + (8 - (size_t)p % 8)) = 1; break;
    case 2: *(int *)(p + (8 - (size_t)p % 8)) = 1; break;
    case 3: *(long *)(p + (8 - (size_t)p % 8)) = 1; break;
    case 4: ((struct odd *)p)->value = 1; break;
    case 5: *(struct pair *)(p + (8 - (size_t)p % 8)) = (struct pair){1, 2}; break;
    default: memset(p, 1, kind % 20);
  }
}

int main(void) {
  char *block = aligned_alloc(16, 256);
  memset(block, 0, 256);
  for (unsigned i = 0; i < 300; i++) {
    if (i % 10 == 0) scramble(block, 256);
    store(block + i * 7 % 200, i);
  }
  char *apart = aligned_alloc(16, 64);
  apart[5] = 1;
  expect_set(apart + 5, 1, 1);
  sink = (unsigned char)apart[5];
  expect_set(apart + 5, 1, 0);
  *(int *)(apart + 24) = 1;
  expect_set(apart + 24, 4, 1);
  *(long *)(apart + 40) = 1;
  expect_set(apart + 40, 8, 1);
  free(apart);
  apart = aligned_alloc(16, 64);
  ((struct odd *)(apart + 2))->value = 1;
  expect_set(apart + 3, 8, 1);
  fill(apart + 35, 13);
  expect_set(apart + 35, 13, 1);
  for (unsigned i = 0; i < 100; i++) {
    if (i % 10 == 0) scramble(block, 256);
    fill(block + i * 7 % 200, i % 50);
  }
  free(apart);
  free(block);
  return 0;
}
