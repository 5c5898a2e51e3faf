// engines: check explore
// cases: 12
// Addresses that a type cannot have, and sums of pointers that lead to no object.
#include "cases.h"

static volatile long sink;

struct __attribute__((packed)) header {
  char kind;
  uint32_t length;
  uint64_t offset;
};

static void misaligned_read(void) {
  char bytes[16] = "0123456789abcde";
  char *at = bytes + opaque(BUGGY(1, 4));
  sink = *(uint32_t *)at; //~ ERROR misaligned-access
}

static void misaligned_write(void) {
  char *bytes = calloc(1, 32);
  *(uint64_t *)(bytes + opaque(BUGGY(12, 16))) = 7; //~ ERROR misaligned-access
  sink = bytes[16];
  free(bytes);
}

static void misaligned_in_a_loop(void) {
  char *bytes = calloc(1, 132);
  const uint16_t *words = (const uint16_t *)(bytes + opaque(BUGGY(1, 2)));
  long sum = 0;
  for (int i = 0; i < 64; i++) sum += words[i]; //~ ERROR misaligned-access
  sink = sum;
  free(bytes);
}

static void member_of_packed(void) {
  struct header one = {'a', 1, 2};
  sink = (long)(one.length + one.offset);
  void *member = (char *)&one + 1;
  uint32_t copy;
  memcpy(&copy, member, sizeof copy);
  sink = copy;
  sink = BUGGY(*(uint32_t *)member, copy); //~ ERROR misaligned-access
}

static void misaligned_double(void) {
  double numbers[3] = {1, 2, 3};
  const char *at = (const char *)numbers + opaque(BUGGY(4, 8));
  sink = *(const double *)at > 0; //~ ERROR misaligned-access
}

static void assumed_alignment(void) {
  _Alignas(16) char bytes[32] = "";
  char *at = bytes + opaque(BUGGY(24, 16));
  const char *aligned = __builtin_assume_aligned(at, 16); //~ ERROR misaligned-access
  const char *after = __builtin_assume_aligned(bytes + opaque(24), 16, 8);
  sink = *aligned + *after;
}

static void wrapped_by_a_length(void) {
  char text[] = "text";
  const char *end = text + sizeof text;
  size_t length = (size_t)opaque(BUGGY(-100, 3));
  sink = text + length > end; //~ ERROR pointer-overflow
}

static void product_beyond_all(void) {
  int numbers[4] = {1, 2, 3, 4};
  int *at = numbers + opaque(BUGGY(1L << 40, 3)); //~ ERROR pointer-overflow
  sink = at != numbers;
}

static void far_before(void) {
  char *block = malloc(16);
  char *at = block - opaque(BUGGY(1L << 33, 0)); //~ ERROR pointer-overflow
  sink = at == block;
  free(block);
}

static void far_by_a_constant(void) {
  char *block = malloc(16);
  char *at = block + BUGGY(PTRDIFF_MAX, 16); //~ ERROR pointer-overflow
  sink = at > block;
  free(block);
}

static void back_by_an_unsigned_offset(void) {
  char text[] = "0123456789";
  char *at = text + 8;
  size_t back = (size_t)opaque(-3);
  at = at + back;
  sink = *at;
  char *before = at + (size_t)opaque(BUGGY(-6, -5)); //~ ERROR pointer-overflow
  sink = before == text;
}

static void end_and_before(void) {
  int numbers[4] = {1, 2, 3, 4};
  int *end = numbers + opaque(4), *first = numbers + opaque(1);
  sink = end - first;
  sink = first[opaque(BUGGY(3, 2))]; //~ ERROR stack-buffer-overflow
}

CASES(misaligned_read, misaligned_write, misaligned_in_a_loop, member_of_packed, misaligned_double, assumed_alignment, wrapped_by_a_length,
      product_beyond_all, far_before, far_by_a_constant, back_by_an_unsigned_offset, end_and_before)
