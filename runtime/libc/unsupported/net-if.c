/* net/if.h: see unsupported.h. */
#include <net/if.h>

#include "unsupported.h"

struct if_nameindex *if_nameindex(void) { UNSUPPORTED("if_nameindex", NO_NETWORK); }

void if_freenameindex(struct if_nameindex *list) {
  (void)list;
  UNSUPPORTED("if_freenameindex", NO_NETWORK);
}

unsigned int if_nametoindex(const char *name) {
  (void)name;
  UNSUPPORTED("if_nametoindex", NO_NETWORK);
}

char *if_indextoname(unsigned int index, char *name) {
  (void)index, (void)name;
  UNSUPPORTED("if_indextoname", NO_NETWORK);
}
