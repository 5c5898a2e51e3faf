/* ifaddrs.h: see unsupported.h. */
#include <ifaddrs.h>

#include "unsupported.h"

int getifaddrs(struct ifaddrs **list) {
  (void)list;
  UNSUPPORTED("getifaddrs", NO_NETWORK);
}

void freeifaddrs(struct ifaddrs *list) {
  (void)list;
  UNSUPPORTED("freeifaddrs", NO_NETWORK);
}
