// engines: check
// A global still points into the frame of a call that is over, while another call uses that place.
#include "../golden/cases.h"

static int *registered, fallback;

static void registers(void) {
  int local = 5;
  registered = &local;
  *registered = 6;
  BUGGY(, registered = &fallback);
}

static int uses(void) {
  int local = 7, *mine = &local;
  *registered = 8; //~ ERROR use-after-return
  return *mine;
}

int main(void) {
  registers();
  return uses() - 7;
}
