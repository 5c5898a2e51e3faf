/* <utime.h> */
#ifndef _UTIME_H
#define _UTIME_H

#include <bits/posix-types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct utimbuf {
  time_t actime;
  time_t modtime;
};

int utime(const char *__path, const struct utimbuf *__times);

#ifdef __cplusplus
}
#endif

#endif
