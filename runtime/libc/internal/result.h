/* From the host's convention (-errno) to C's (-1 and errno). */
#ifndef RZ_RESULT_H
#define RZ_RESULT_H

#include <errno.h>

static inline long __rz_result(long result) {
  if (result >= 0) return result;
  errno = (int)-result;
  return -1;
}

static inline int __rz_error(int number) {
  errno = number;
  return -1;
}

#endif
