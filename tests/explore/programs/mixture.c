/* Integers of every width, floats, memory, calls and a little symbolic data: to compare two ways of running it. */
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
  int64_t value;
  uint8_t tag;
};

static uint32_t hash(const void *bytes, size_t n) {
  const uint8_t *at = bytes;
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < n; i++) h = (h ^ at[i]) * 16777619u;
  return h;
}

static int64_t ackermann(int64_t m, int64_t n) {
  if (m == 0) return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static void exchange(int *a, int *b) {
  int old = *a;
  *a = *b;
  *b = old;
}

static uint64_t integers(void) {
  uint64_t sum = 0xfedcba9876543210;
  for (int64_t i = -50; i < 50; i++) {
    int8_t narrow = (int8_t)(i * 3);
    int16_t middle = (int16_t)(i * 1000);
    int32_t wide = (int32_t)i * 7;
    sum = sum * 6364136223846793005u + (uint64_t)narrow;
    sum ^= (uint64_t)(middle / 7) << (i & 31);
    sum += (uint64_t)(wide % 5) - (sum >> (i & 63));
    sum = sum << 7 | sum >> 57;
    if (i < wide && (uint64_t)i > 7) sum -= (uint32_t)wide / 3u;
    sum += (uint64_t)(i * i) / (uint64_t)(51 + i) + (uint64_t)(i / -3);
  }
  return sum;
}

static double floats(void) {
  double sum = 0;
  float single = 1.1f;
  for (int i = 1; i < 60; i++) {
    sum += 1.0 / i - (double)(i % 7) * 0.125;
    single = single * 1.01f - (float)i / 100.0f;
    if (sum > single) sum -= (int)single;
  }
  return sum + single;
}

static uint64_t memory(void) {
  struct node *head = NULL;
  for (int i = 0; i < 200; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    *fresh = (struct node){head, i * -12345678901, (uint8_t)i};
    head = fresh;
  }
  uint64_t sum = 0;
  int order[64];
  for (int i = 0; i < 64; i++) order[i] = i * 37 % 64;
  for (int i = 0; i < 63; i++) {
    for (int j = 0; j < 63 - i; j++) {
      if (order[j] > order[j + 1]) exchange(&order[j], &order[j + 1]);
    }
  }
  for (int i = 0; i < 64; i++) assert(order[i] == i);
  while (head != NULL) {
    struct node *next = head->next;
    sum = sum * 31 + (uint64_t)head->value + head->tag;
    free(head);
    head = next;
  }
  char text[32] = {0};
  for (int i = 0; i < 20; i++) text[i] = (char)('a' + i);
  return sum + hash(text, strlen(text));
}

int main(void) {
  unsigned char choice;
  klee_make_symbolic(&choice, 1, "choice");
  uint64_t result = integers() + memory() + (uint64_t)ackermann(2, 20) + (uint64_t)(floats() * 1e6);
  unsigned total = 0;
  for (unsigned i = 0; i < 300; i++) {
    total += i;
    if (i == 150 && choice > 100) total *= 3;
    if (i == 250 && choice < 50) total *= 5;
  }
  result += total;
  printf("%llu\n", (unsigned long long)result);
  return (int)(result % 251);
}
