// engines: check
// cases: 18
// Through pointers to locals that are gone: their scope has ended, or their function has returned.
#include <alloca.h>
#include <setjmp.h>

#include "cases.h"

static volatile int sink;
static int *escaped;

static void after_scope(void) {
  int *p, outer = 1;
  {
    int inner = 9;
    p = BUGGY(&inner, &outer);
    *p = 1;
  }
  *p = 2; //~ ERROR use-after-scope
}

static void after_scope_and_reuse(void) {
  int *p, outer[4] = {0};
  {
    int first[4] = {1, 2, 3, 4};
    p = BUGGY(first, outer);
    sink = *p;
  }
  {
    int second[4] = {5, 6, 7, 8};
    escaped = second;
    sink = p[2]; //~ ERROR use-after-scope
  }
}

static void last_iteration(void) {
  int *p = NULL;
  for (int i = 0; i < 3; i++) {
    int local = i;
    if (BUGGY(i > 0, i < 0)) sink = *p; //~ ERROR use-after-scope
    p = &local;
    sink = *p;
  }
}

static void left_by_goto(void) {
  int *p;
  int outer = 1;
  {
    int inner = (int)opaque(1);
    p = BUGGY(&inner, &outer);
    sink = *p;
    if (inner) goto out;
    *p = 2;
  }
out:
  *p = 3; //~ ERROR use-after-scope
}

static void left_by_break(void) {
  int *p, outer = 1;
  for (;;) {
    int inner = 1;
    p = BUGGY(&inner, &outer);
    if (opaque(*p)) break;
  }
  sink = *p; //~ ERROR use-after-scope
}

static void left_by_continue(void) {
  int *p, outer = 1;
  for (int i = 0; i < 2; i++) {
    int inner = i;
    p = BUGGY(&inner, &outer);
    if (opaque(*p) == 0) continue;
    sink = *p;
  }
  sink = *p; //~ ERROR use-after-scope
}

__attribute__((noinline)) static int *address_of_local(int value) {
  int local = value;
  escaped = &local;
  return BUGGY(&local, malloc(sizeof *escaped));
}

static void after_return(void) {
  int *p = address_of_local(1);
  *p = 2; //~ ERROR use-after-return
  BUGGY(, free(p));
}

__attribute__((noinline)) static void another_frame(int value) {
  int local = value;
  escaped = &local;
  sink = *escaped;
}

static void after_return_and_reuse(void) {
  int *p = address_of_local(1);
  for (int i = 0; i < 100; i++) another_frame(i);
  *p = 3; //~ ERROR use-after-return
  BUGGY(, free(p));
}

__attribute__((noinline)) static void uses_what_escaped(void) {
  int mine = 5;
  int *p = BUGGY(escaped, &mine);
  sink = *p; //~ ERROR use-after-return
}

static void while_the_frame_is_in_use(void) {
  another_frame(4);
  uses_what_escaped();
}

static void vla_after_its_scope(void) {
  char *p, outer[1] = {0};
  {
    char a[opaque(16)];
    memset(a, 0, 16);
    p = BUGGY(a, outer);
    sink = *p;
  }
  sink = *p; //~ ERROR use-after-scope
}

__attribute__((noinline)) static char *from_alloca(void) {
  char *p = alloca((size_t)opaque(16));
  p[0] = 1;
  return BUGGY(p, strdup(""));
}

static void alloca_after_return(void) {
  char *p = from_alloca();
  sink = *p; //~ ERROR use-after-return
  BUGGY(, free(p));
}

__attribute__((noinline)) static int *literal(void) {
  static int kept[2] = {1, 2};
  return BUGGY(((int[]){1, 2}), kept);
}

static void compound_literal_after_return(void) {
  int *p = literal();
  sink = p[1]; //~ ERROR use-after-return
}

static void compound_literal_after_its_scope(void) {
  int *p, outer[2] = {1, 2};
  {
    p = BUGGY(((int[]){3, 4}), outer);
    if (opaque(p[0])) p[0] = 5;
  }
  sink = p[1]; //~ ERROR use-after-scope
}

struct counted {
  int count;
};

static void compound_literal_of_an_earlier_round(void) {
  struct counted *earlier = NULL;
  for (int i = 0; i < 2; i++) {
    struct counted *p = NULL, *q;
    int filled = 0;
    if (BUGGY(earlier != NULL, 0)) sink = earlier->count; //~ ERROR use-after-scope
  again:
    /* Filled twice in one round, it is one object (C11 6.5.2.5). */
    q = p, p = &((struct counted){filled++});
    if (filled < 2) goto again;
    earlier = q;
    sink = q->count;
  }
}

/* What it allocates comes before all else that it does. */
__attribute__((noinline)) static char *first_of_all(void) { return alloca(16); }

static void constant_alloca_after_return(void) {
  char mine[16], *p = first_of_all();
  BUGGY(, p = mine);
  p[3] = 1; //~ ERROR use-after-return
}

static jmp_buf environment;

__attribute__((noinline)) static void gone(void) {
  if (setjmp(environment)) sink = 1;
}

static void longjmp_to_a_function_that_has_returned(void) {
  gone();
  BUGGY(longjmp(environment, 1), ); //~ ERROR use-after-return
}

__attribute__((noinline)) static void jumps(void) {
  int local = 7;
  escaped = &local;
  longjmp(environment, 1);
}

static void frame_left_by_longjmp(void) {
  int mine = 1;
  if (setjmp(environment) == 0) jumps();
  BUGGY(, escaped = &mine);
  sink = *escaped; //~ ERROR use-after-return
}

static void frame_left_by_longjmp_and_reused(void) {
  int mine = 1;
  if (setjmp(environment) == 0) jumps();
  int *p = BUGGY(escaped, &mine);
  for (int i = 0; i < 10; i++) another_frame(i);
  sink = *p; //~ ERROR use-after-return
}

CASES(after_scope, after_scope_and_reuse, last_iteration, left_by_goto, left_by_break, left_by_continue, after_return,
      after_return_and_reuse, while_the_frame_is_in_use, vla_after_its_scope, alloca_after_return, constant_alloca_after_return,
      compound_literal_after_return, compound_literal_after_its_scope, compound_literal_of_an_earlier_round, frame_left_by_longjmp, frame_left_by_longjmp_and_reused,
      longjmp_to_a_function_that_has_returned)
