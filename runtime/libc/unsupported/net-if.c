/* net/if.h: see unsupported.h. */
#include <net/if.h>

#include "unsupported.h"

unsigned int if_nametoindex(const char *name) {
  (void)name;
  UNSUPPORTED("if_nametoindex", NO_NETWORK);
}

char *if_indextoname(unsigned int index, char *name) {
  (void)index, (void)name;
  UNSUPPORTED("if_indextoname", NO_NETWORK);
}
