/* <utmp.h>: the older names of <utmpx.h>. */
#ifndef _UTMP_H
#define _UTMP_H

#define utmp utmpx
#include <utmpx.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UT_LINESIZE 32
#define UT_NAMESIZE 32
#define UT_HOSTSIZE 256
#define UTMP_FILE "/var/run/utmp"
#define WTMP_FILE "/var/log/wtmp"
#define ut_name ut_user
#define ut_time ut_tv.tv_sec
#define ut_addr ut_addr_v6[0]

void setutent(void);
void endutent(void);
struct utmp *getutent(void);
struct utmp *getutid(const struct utmp *__entry);
struct utmp *getutline(const struct utmp *__entry);
struct utmp *pututline(const struct utmp *__entry);
int utmpname(const char *__path);

#ifdef __cplusplus
}
#endif

#endif
