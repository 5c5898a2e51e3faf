#include <sys/random.h>

#include "engine.h"
#include "host.h"
#include "result.h"

ssize_t getrandom(void *to, size_t n, unsigned flags) {
  (void)flags;
  __host_random(to, n);
  __rz_range_write(to, n);
  return (ssize_t)n;
}

int getentropy(void *to, size_t n) {
  if (n > 256) return __rz_error(EIO);
  getrandom(to, n, 0);
  return 0;
}
