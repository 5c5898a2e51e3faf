/*
 * Loops that never end, a function each, and their fixed twins with FIXED defined. A comment with
 * LOOP is on the line at which the loop is reported. Without an argument the number of the case is an input,
 * so that one exploration meets them all; with one, only that case is run.
 */
#include <ctype.h>
#include <errno.h>
#include <klee/klee.h>
#include <poll.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

/* The middle is the left end when two elements are left. */
static void binary_search(void) {
  const int sorted[] = {1, 3, 5, 7, 9, 11, 13, 15};
  int low = 0, high = 7, key = 5;
  while (low < high) {  //~ LOOP
    int middle = (low + high BUGGY(, +1)) / 2;
    if (sorted[middle] <= key) low = middle;
    else high = middle - 1;
  }
  if (sorted[low] != key) abort();
}

/* A tab is neither skipped nor part of a word. */
static void scanner(void) {
  const char *at = "one two\tthree";
  int words = 0;
  while (*at) {  //~ LOOP
    while (*at == ' ' BUGGY(, || *at == '\t')) at++;
    const char *start = at;
    while (isalpha((unsigned char)*at)) at++;
    words += at > start;
  }
  if (words != 3) abort();
}

struct node {
  struct node *next;
  int value;
};

/* The list was linked to itself. */
static void cyclic_list(void) {
  struct node third = {NULL, 3}, second = {&third, 2}, first = {&second, 1};
  third.next = BUGGY(&second, NULL);
  for (struct node *at = &first; at; at = at->next)  //~ LOOP
    if (at->value == 4) abort();
}

static int sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >> 5 == 6) return 2;
  if (lead >> 4 == 14) return 3;
  if (lead >> 3 == 30) return 4;
  return BUGGY(0, 1);
}

/* A byte that begins no character has no length. */
static void utf8_skip(void) {
  const char *at = "a\xc3\xa9\xff" "b";
  int count = 0;
  for (; *at; at += sequence_length((unsigned char)*at)) count BUGGY(= 1, ++);  //~ LOOP
  if (count == 0) abort();
}

/* An unsigned number is never below zero; it wraps around, with a step of 2^31 after two rounds. */
static void unsigned_countdown(void) {
  int visited = 0;
  for (unsigned i = 1u << 31; BUGGY(i >= 0, i > 0); i -= 1u << 31) visited = 1;  //~ LOOP
  if (visited != 1) abort();
}

static int attempt(int argument) {
  errno = EAGAIN;
  return argument > 2 ? 0 : -1;
}

/* Every try is the same. */
static void retry(void) {
  int argument = 1;
  while (attempt(argument BUGGY(, ++)) != 0 && errno == EAGAIN)  //~ LOOP
    ;
}

/* Only the outer loop is endless: the inner one ends every time. */
static void nested(void) {
  unsigned char table[16];
  int changed;
  do {
    changed = 0;
    for (int i = 0; i < 16; i++) table[i] = (unsigned char)(i * 37);  //~ LOOP
    for (int i = 0; i + 1 < 16; i++)
      if (table[i] > table[i + 1]) changed = BUGGY(1, 0);
  } while (changed || table[1] == 8);
}

/* Only the inner loop is endless. */
static void inner(void) {
  for (int round = 0; round < 3; round++) {
    int left = 4;
    while (left != 0) {  //~ LOOP
      if (round < 2) left--;
      else BUGGY(left ^= 0, left--);
    }
  }
}

static int depth_of(int n) { return n == 0 ? 0 : 1 + depth_of(n - 1); }

/* The loop calls a function that recurses, and that ends. */
static void around_recursion(void) {
  int depth = 6;
  while (depth_of(depth) == 6) {  //~ LOOP
    BUGGY(, depth--);
  }
}

static int even(int n);
static int odd(int n) {
  int state = n;
  while (state != 1) state = BUGGY(state, 1);  //~ LOOP
  return 1;
}
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }

/* The loop is at the bottom of a recursion. */
static void inside_recursion(void) {
  if (even(4) != 1) abort();
}

static jmp_buf again;
static void fail_again(void) { longjmp(again, 1); }

/* The way back is a jump out of a function. */
static void jump_loop(void) {
  volatile int failures = 0;
  if (setjmp(again) != 0) failures = failures BUGGY(| 1, +1);  //~ LOOP
  if (failures < 3) fail_again();
}

/* Blocks are taken and given back in every round. */
static void allocating(void) {
  size_t size = 8;
  for (;;) {
    char *block = malloc(size);  //~ LOOP
    if (!block) return;
    memset(block, 'x', size);
    int is_enough = size > 100;
    free(block);
    if (is_enough) return;
    BUGGY(, size *= 2);
  }
}

/* A buffer is grown by nothing, and copied. */
static void growing(void) {
  size_t capacity = BUGGY(0, 1), used = 0;
  char *text = malloc(1);
  while (used + 5 > capacity) {  //~ LOOP
    capacity *= 2;
    char *more = realloc(text, capacity + 1);
    if (more) text = more;
  }
  free(text);
}

/* Formats and reads back the same number. */
static void in_the_library(void) {
  char text[16];
  int number = 5, read = 0;
  while (number > 0) {  //~ LOOP
    snprintf(text, sizeof text, "%d", number);
    if (sscanf(text, "%d", &read) == 1 && read == number BUGGY(+1, )) number--;
  }
}

static int by_nothing(const void *a, const void *b) {
  (void)b;
  const int *one = a;
  while (*one BUGGY(!= 99, == 99))  //~ LOOP
    ;
  return 0;
}

/* The loop is in a function that the library calls. */
static void in_a_callback(void) {
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof *numbers, by_nothing);
}

/* The end of the input is not noticed. */
static void end_of_input(void) {
  int c;
  while ((c = getchar()) != '\n' BUGGY(, &&c != EOF))  //~ LOOP
    ;
}

/* A descriptor at its end is always ready. */
static void event_loop(void) {
  struct pollfd input = {0, POLLIN, 0};
  char bytes[16];
  int is_done = 0;
  while (!is_done && poll(&input, 1, -1) > 0) {  //~ LOOP
    ssize_t count = input.revents & POLLIN ? fread(bytes, 1, sizeof bytes, stdin) : 0;
    if (count == 0) is_done = BUGGY(0, 1);
  }
}

/* A life of period two. */
static void game_of_life(void) {
  unsigned char cells[2][5][5] = {{{0}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0}}};
  int now = 0, generation = 0, alive = 1;
  while (alive BUGGY(, &&generation < 10)) {  //~ LOOP
    alive = 0;
    for (int y = 0; y < 5; y++)
      for (int x = 0; x < 5; x++) {
        int around = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++)
            if ((dx || dy) && y + dy >= 0 && y + dy < 5 && x + dx >= 0 && x + dx < 5)
              around += cells[now][y + dy][x + dx];
        cells[!now][y][x] = (unsigned char)(around == 3 || (around == 2 && cells[now][y][x]));
        alive |= cells[!now][y][x];
      }
    now = !now;
    BUGGY(, generation++);
  }
}

/* The step of a float is lost: 2^53 + 1 is 2^53. */
static void float_step(void) {
  double at = 9007199254740992.0;
  while (at < 9007199254740994.0) at += BUGGY(1, 2);  //~ LOOP
}

/* A generator whose period is short. */
static void short_period(void) {
  unsigned seed = 1, drawn;
  do {
    seed = seed * 5 % 64;  //~ LOOP
    drawn = seed & 3;
  } while (drawn != BUGGY(0, 1));
}

/* A `goto` is a loop, too. */
static void backward_goto(void) {
  int state = 0;
again:
  switch (state) {  //~ LOOP
    case 0: state = 1; goto again;
    case 1: state = 2; goto again;
    case 2: state = BUGGY(0, 3); goto again;
    default: return;
  }
}

static void (*const cases[])(void) = {
    binary_search, scanner,        cyclic_list, utf8_skip, unsigned_countdown, retry,         nested,
    inner,         around_recursion, inside_recursion, jump_loop, allocating,    growing,       in_the_library,
    in_a_callback, end_of_input,   event_loop,  game_of_life, float_step,      short_period,  backward_goto,
};

int main(int argc, char **argv) {
  const int count = sizeof cases / sizeof *cases;
  int which;
  if (argc > 1) which = atoi(argv[1]);
  else klee_make_symbolic(&which, sizeof which, "which");
  for (int i = 0; i < count; i++)
    if (which == i) {
      cases[i]();
      return 0;
    }
  return 0;
}
