// engines: check
// cases: 18
// Outside a heap block: before and after it, by a byte and by megabytes, at every alignment.
#include "cases.h"

static void just_after(void) {
  int *a = calloc(4, sizeof *a);
  a[opaque(BUGGY(4, 3))] = 1; //~ ERROR heap-buffer-overflow
  free(a);
}

static void just_before(void) {
  int *a = calloc(4, sizeof *a);
  a[opaque(BUGGY(-1, 0))] = 1; //~ ERROR heap-buffer-overflow
  free(a);
}

static void into_a_neighbour(void) {
  char *a = calloc(64, 1), *b = calloc(64, 1);
  a[BUGGY(distance(a, b), 0)] = 1; //~ ERROR heap-buffer-overflow
  free(a), free(b);
}

static void by_a_difference_of_pointers(void) {
  int *a = calloc(64, sizeof *a), *b = calloc(64, sizeof *b), *end = a + 64;
  a[BUGGY(b - a, end - a - 1)] = 1; //~ ERROR heap-buffer-overflow
  free(a), free(b);
}

static void far_before(void) {
  char *a = calloc(64, 1);
  a[opaque(BUGGY(-3000000, 0))] = 1; //~ ERROR heap-buffer-overflow
  free(a);
}

static void by_four_gigabytes(void) {
  char *a = calloc(16, 1), *b = calloc(16, 1);
  a[opaque(BUGGY((1L << 32) + 32, 0))] = 1; //~ ERROR heap-buffer-overflow
  free(a), free(b);
}

static void by_a_terabyte(void) {
  char *a = calloc(16, 1);
  a[opaque(BUGGY(-(1L << 40), 0))] = 1; //~ ERROR heap-buffer-overflow
  free(a);
}

static void last_partial_granule(void) {
  char *a = calloc(13, 1);
  a[opaque(BUGGY(13, 12))] = 1; //~ ERROR heap-buffer-overflow
  free(a);
}

static void wider_than_the_rest(void) {
  char *a = calloc(12, 1);
  *(long *)(a + opaque(BUGGY(8, 0))) = 1; //~ ERROR heap-buffer-overflow
  free(a);
}

typedef int __attribute__((aligned(1))) unaligned_int;

static void unaligned(void) {
  char *a = calloc(16, 1);
  *(unaligned_int *)(a + opaque(BUGGY(13, 5))) = 1; //~ ERROR heap-buffer-overflow
  free(a);
}

struct wide {
  long words[6];
};

static void many_granules(void) {
  char *a = calloc(1, 100);
  struct wide one = {{1, 2, 3, 4, 5, 6}};
  *(struct wide *)(a + opaque(BUGGY(56, 48))) = one; //~ ERROR heap-buffer-overflow
  free(a);
}

static void block_of_nothing(void) {
  char *a = malloc(BUGGY(0, 1));
  *a = 1; //~ ERROR heap-buffer-overflow
  free(a);
}

static void off_by_one_loop(void) {
  size_t n = (size_t)opaque(7);
  short *a = malloc(n * sizeof *a);
  for (size_t i = 0; i < n + BUGGY(1, 0); i++) a[i] = (short)i; //~ ERROR heap-buffer-overflow
  free(a);
}

struct user {
  char name[8];
  int scores[3];
  struct {
    short day, slots[2];
  } days[2];
};

static void into_the_next_member(void) {
  struct user *user = calloc(1, sizeof *user);
  user->name[opaque(BUGGY(8, 7))] = 'x'; //~ ERROR heap-buffer-overflow
  free(user);
}

static void before_a_member(void) {
  struct user *user = calloc(1, sizeof *user);
  user->scores[opaque(BUGGY(-1, 0))]++; //~ ERROR heap-buffer-overflow
  free(user);
}

static void into_the_next_of_inner_structures(void) {
  struct user *user = calloc(1, sizeof *user);
  for (long i = 0; i < opaque(BUGGY(3, 2)); i++) user->days[0].slots[i] = 1; //~ ERROR heap-buffer-overflow
  free(user);
}

static void address_in_the_next_member(void) {
  struct user *user = calloc(1, sizeof *user);
  char *end = &user->name[opaque(BUGGY(9, 8))]; //~ ERROR heap-buffer-overflow
  end[-1] = 0;
  free(user);
}

struct message {
  int length;
  char text[1];
};

/* Such an array is as long as the block allows. */
static void end_of_variable_length(void) {
  struct message *message = malloc(sizeof *message + 8);
  message->text[opaque(BUGGY(12, 11))] = 1; //~ ERROR heap-buffer-overflow
  free(message);
}

CASES(just_after, just_before, into_a_neighbour, by_a_difference_of_pointers, far_before, by_four_gigabytes, by_a_terabyte, last_partial_granule, wider_than_the_rest,
      unaligned, many_granules, block_of_nothing, off_by_one_loop,
      into_the_next_member, before_a_member, into_the_next_of_inner_structures, address_in_the_next_member, end_of_variable_length)
