/* struct timeval, for <sys/time.h>, <sys/select.h>, <sys/resource.h>, ... */
#ifndef _BITS_TIMEVAL_H
#define _BITS_TIMEVAL_H

#include <bits/types.h>

typedef __rz_time_t time_t;
typedef __rz_suseconds_t suseconds_t;

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};

#endif
