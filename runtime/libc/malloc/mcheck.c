/* <mcheck.h>: the functions do nothing, since every access is checked when it happens. */
#include <mcheck.h>

int mcheck(void (*on_error)(enum mcheck_status)) {
  (void)on_error;
  return 0;
}

int mcheck_pedantic(void (*on_error)(enum mcheck_status)) { return mcheck(on_error); }

void mcheck_check_all(void) {}

enum mcheck_status mprobe(void *block) {
  (void)block;
  return MCHECK_OK;
}

void mtrace(void) {}

void muntrace(void) {}
