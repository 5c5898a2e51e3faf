/*
 * Errors of each kind of check, and after each an error that is always looked for: what is switched off must not hide it.
 * The first argument names the kind; `check` runs all its cases one after the other, `explore` each on a path of its own.
 */
#include <klee/klee.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FIXED
#define BUGGY(bug, fix) fix
#define BEHIND
#else
#define BUGGY(bug, fix) bug
#define BEHIND *nothing = 1
#endif

static char *volatile nothing;
static volatile int zero, one = 1, most = INT_MAX, least = INT_MIN, amount = BUGGY(33, 1);
static volatile double huge = BUGGY(1e30, 1);
static volatile float tiny = BUGGY(-1e30f, 1);
static const int constant = 5;
static char sink;

__attribute__((noinline)) static int *kept(void) {
  int local = 7;
  static int other = 7;
  int *volatile p = BUGGY(&local, &other);
  return p;
}

static void undefined(int number) {
  switch (number) {
  case 0: if (most + BUGGY(one, 0) == BUGGY(INT_MIN, INT_MAX)) BEHIND; break;
  case 1: if (least - BUGGY(one, 0) == BUGGY(INT_MAX, INT_MIN)) BEHIND; break;
  case 2: if ((most * BUGGY(2, 1) & 1) == BUGGY(0, 1)) BEHIND; break;
  case 3: if (one << amount == 2) BEHIND; break;
  case 4: if ((least >> amount) < 0) BEHIND; break;
  case 5: if ((int)huge > 0) BEHIND; break;
  case 6: if ((int)tiny != 0) BEHIND; break;
  case 7: if (least % (zero - BUGGY(1, 2)) == 0) BEHIND; break;
  case 8: if (-(long)most - BUGGY(-LONG_MAX - 1, 1) != 3) BEHIND; break;
  }
}

static void spatial(int number) {
  char *block = malloc(8);
  char array[4] = "abc";
  struct { char name[4]; int after; } member = { "abc", 0 };
  memset(block, 'x', 8);
  switch (number) {
  case 0: block[BUGGY(8, 7) + zero] = 1; BEHIND; break;
  case 1: sink = block[BUGGY(9, 7) + zero]; BEHIND; break;
  case 2: array[BUGGY(-1, 1) + zero] = 1; BEHIND; break;
  case 3: memset(block, 'y', BUGGY(9, 8) + zero); if (block[0] == 'y' && block[7] == 'y') BEHIND; break;
  case 4: memcpy(block, "0123456789", BUGGY(10, 8) + zero); if (block[7] == '7') BEHIND; break;
  case 5: strcpy(block, BUGGY("0123456789", "0123456")); if (block[6] == '6') BEHIND; break;
  case 6: memcpy(block, array, BUGGY(6, 4) + zero); if (block[2] == 'c') BEHIND; break;
  case 7: *(int *)BUGGY(&constant, block) = 6; if (constant == 5) BEHIND; break;
  case 8: memcpy(block, block + BUGGY(1, 4), 4 + zero); BEHIND; break;
  case 9: printf(BUGGY("%d %d\n", "%d\n"), 1); BEHIND; break;
  case 10: member.name[BUGGY(4, 3) + zero] = 1; BEHIND; break;
  case 11: *(int *)(block + BUGGY(6, 4) + zero) = 1; if (block[BUGGY(6, 3)] == 'x') BEHIND; break;
  case 12: sink = (char)strlen(memset(block, 'z', BUGGY(8, 0) + zero) ? "" : block); BEHIND; break;
  }
  free(block);
}

static void temporal(int number) {
  char *block = malloc(8), *inside;
  int *scoped = 0;
  memset(block, 'x', 8);
  switch (number) {
  case 0: free(block); sink = BUGGY(block, "abc")[1]; BEHIND; return;
  case 1: free(block); BUGGY(block[1], sink) = 2; BEHIND; return;
  case 2: free(block); free(BUGGY(block, 0)); BEHIND; return;
  case 3: inside = block + BUGGY(1, 0); free(inside); BEHIND; if (inside == block) return; break;
  case 4: free(BUGGY((void *)&number, 0)); BEHIND; break;
  case 5: sink = (char)*kept(); BEHIND; break;
  case 6: { int outer = 0; { int local = 5; scoped = BUGGY(&local, &outer); } sink = (char)*scoped; } BEHIND; break;
  case 7: free(block); memset(BUGGY(block, &sink), 0, 1 + zero); BEHIND; return;
  case 8: free(block); if (BUGGY(realloc(block, 16), nothing) == 0) { BEHIND; } return;
  }
  free(block);
}

static void init(int number) {
  char *block = BUGGY(malloc(8), calloc(8, 1));
  int local[4];
  if (BUGGY(zero, 1)) memset(local, 0, sizeof local);
  switch (number) {
  case 0: if (block[zero] == 'q') sink = 1; BEHIND; break;
  case 1: sink = (char)(local[zero] / 2); BEHIND; break;
  case 2: sink = "0123456789abcdef"[block[one] & 15]; BEHIND; break;
  case 3: if (local[one] > 3) sink = 1; BEHIND; break;
  }
  free(block);
}

static void alignment(int number) {
  char *block = calloc(1, 16), *at = block + BUGGY(1, 4) + zero;
  switch (number) {
  case 0: if (*(int *)at == 0) BEHIND; break;
  case 1: *(short *)at = 1; if (at[0] == 1) BEHIND; break;
  }
  free(block);
}

static void leaks(int number) {
  char *block = malloc(8);
  if (number == 0) { BEHIND; }
  if (BUGGY(0, 1)) free(block);
}

static const struct { const char *name; void (*run)(int); int cases; } kinds[] = {
  { "undefined", undefined, 9 }, { "spatial", spatial, 13 }, { "temporal", temporal, 9 }, { "init", init, 4 },
  { "alignment", alignment, 2 }, { "leaks", leaks, 1 },
};

int main(int argc, char **argv) {
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (argc < 2 || strcmp(argv[1], kinds[i].name) != 0) continue;
#ifdef ONE_BY_ONE
    kinds[i].run(klee_range(0, kinds[i].cases, "number"));
#else
    for (int number = 0; number < kinds[i].cases; number++) kinds[i].run(number);
#endif
  }
  return 0;
}
