/* <setjmp.h>: out of deep calls, again and again to the same place, nested, and values that survive. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static jmp_buf top, inner;

static void dive(int depth) {
  if (depth == 0) longjmp(top, 42);
  dive(depth - 1);
}

static int try_block(int fails) {
  jmp_buf here;
  if (setjmp(here) == 0) {
    if (fails) longjmp(here, fails);
    return 0;
  }
  return fails;
}

static int recursion(int n) {
  jmp_buf mine;
  volatile int local = n;
  switch (setjmp(mine)) {
    case 0: return n == 0 ? 0 : (recursion(n - 1) + (longjmp(mine, 3), 0));
    case 3: return local + 1;
    default: return -1;
  }
}

int main(void) {
  volatile int visits = 0;
  int value = setjmp(top);
  visits++;
  printf("setjmp %d, visit %d\n", value, visits);
  if (value == 0) dive(10);

  for (volatile int i = 0; i < 3; i++) {
    const int again = setjmp(inner);
    printf("round %d value %d\n", i, again);
    if (again < 3) longjmp(inner, again + 1);
  }
  printf("%d %d %d\n", try_block(0), try_block(5), try_block(-1));
  printf("recursion %d\n", recursion(4));
  if (setjmp(top) == 0) longjmp(top, 0);
  else puts("zero becomes one");
  if (!setjmp(inner)) {
    puts("in the condition");
    longjmp(inner, 7);
  } else {
    puts("negated");
  }

  sigset_t set, now;
  sigjmp_buf with_mask;
  sigemptyset(&set);
  if (sigsetjmp(with_mask, 1) == 0) {
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    siglongjmp(with_mask, 9);
  }
  sigprocmask(SIG_BLOCK, NULL, &now);
  printf("mask restored %d\n", !sigismember(&now, SIGUSR1));
  return 0;
}
