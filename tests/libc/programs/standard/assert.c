/* <assert.h>: what holds is silent; NDEBUG removes the rest; the message of what does not hold. */
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static jmp_buf after_abort;

static void on_abort(int signal) {
  (void)signal;
  longjmp(after_abort, 1);
}

static void fail(void) { assert(1 + 1 == 3); }

#define NDEBUG
#include <assert.h>
static void removed(void) { assert(1 + 1 == 3); }
#undef NDEBUG
#include <assert.h>

int main(void) {
  static_assert(sizeof(char) == 1, "a char is one byte");
  assert("text" != 0);
  assert(1 == 1 && 2 > 1);
  removed();
  signal(SIGABRT, on_abort);
  if (setjmp(after_abort) == 0) fail();
  else puts("aborted, and caught");
  return 0;
}
