/* The clock types and structures that <time.h>, <sys/types.h>, <sys/time.h>, <sys/stat.h> and others share. */
#ifndef _BITS_TIME_TYPES_H
#define _BITS_TIME_TYPES_H

typedef long time_t;
typedef long suseconds_t;
typedef long clock_t;
typedef int clockid_t;

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};

#endif
