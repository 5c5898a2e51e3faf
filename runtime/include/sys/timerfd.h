#ifndef _SYS_TIMERFD_H
#define _SYS_TIMERFD_H 1

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TFD_CLOEXEC = 02000000, TFD_NONBLOCK = 04000 };
#define TFD_TIMER_ABSTIME 1

int timerfd_create(clockid_t clock, int flags);
int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old);
int timerfd_gettime(int fd, struct itimerspec *value);

#ifdef __cplusplus
}
#endif

#endif
