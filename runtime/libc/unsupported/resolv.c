/* resolv.h: see unsupported.h. */
#include <resolv.h>

#include "unsupported.h"

int res_init(void) {
  UNSUPPORTED("res_init", NO_NETWORK);
}

int res_query(const char *name, int class, int type, unsigned char *answer, int length) {
  (void)name, (void)class, (void)type, (void)answer, (void)length;
  UNSUPPORTED("res_query", NO_NETWORK);
}

int res_search(const char *name, int class, int type, unsigned char *answer, int length) {
  (void)name, (void)class, (void)type, (void)answer, (void)length;
  UNSUPPORTED("res_search", NO_NETWORK);
}

int dn_expand(const unsigned char *message, const unsigned char *end, const unsigned char *source, char *target, int length) {
  (void)message, (void)end, (void)source, (void)target, (void)length;
  UNSUPPORTED("dn_expand", NO_NETWORK);
}
