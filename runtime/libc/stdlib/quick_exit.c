/* quick_exit, at_quick_exit */
#include <stdlib.h>

#define LIMIT 32 /* the minimum that the standard requires */

static void (*handlers[LIMIT])(void);
static int count;

int at_quick_exit(void (*function)(void)) {
  if (count == LIMIT) return -1;
  handlers[count++] = function;
  return 0;
}

_Noreturn void quick_exit(int status) {
  while (count != 0) handlers[--count]();
  _Exit(status);
}
