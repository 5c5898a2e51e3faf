/* struct timespec, for <time.h>, <sys/stat.h>, <sys/time.h>, ... */
#ifndef _BITS_TIMESPEC_H
#define _BITS_TIMESPEC_H

#include <bits/types.h>

typedef __rz_time_t time_t;

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

#endif
