/* <utmp.h> and <utmpx.h>: an empty table that cannot be written. */
#include <errno.h>
#include <stddef.h>
#include <utmp.h>

static struct utmpx *refuse(int why) {
  errno = why;
  return NULL;
}

void setutxent(void) {}

void endutxent(void) {}

struct utmpx *getutxent(void) { return refuse(ENOENT); }

struct utmpx *getutxid(const struct utmpx *entry) { return (void)entry, refuse(ESRCH); }

struct utmpx *getutxline(const struct utmpx *entry) { return (void)entry, refuse(ESRCH); }

struct utmpx *pututxline(const struct utmpx *entry) { return (void)entry, refuse(EPERM); }

void setutent(void) {}

void endutent(void) {}

struct utmp *getutent(void) { return getutxent(); }

struct utmp *getutid(const struct utmp *entry) { return getutxid(entry); }

struct utmp *getutline(const struct utmp *entry) { return getutxline(entry); }

struct utmp *pututline(const struct utmp *entry) { return pututxline(entry); }

int utmpname(const char *path) {
  (void)path;
  return 0;
}
