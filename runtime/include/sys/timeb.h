/* <sys/timeb.h>: ftime */
#ifndef _SYS_TIMEB_H
#define _SYS_TIMEB_H

#include <time.h>

struct timeb {
  time_t time;
  unsigned short millitm;
  short timezone;
  short dstflag;
};

int ftime(struct timeb *__now);

#endif
