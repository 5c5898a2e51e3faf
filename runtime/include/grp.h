#ifndef _GRP_H
#define _GRP_H 1

#include <stddef.h>
#include <bits/posix-types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct group {
  char *gr_name;
  char *gr_passwd;
  gid_t gr_gid;
  char **gr_mem;
};

struct group *getgrnam(const char *__name);
struct group *getgrgid(gid_t __gid);
int getgrnam_r(const char *__restrict __name, struct group *__restrict __entry, char *__restrict __buffer,
               size_t __size, struct group **__restrict __result);
int getgrgid_r(gid_t __gid, struct group *__restrict __entry, char *__restrict __buffer, size_t __size,
               struct group **__restrict __result);
struct group *getgrent(void);
void setgrent(void);
void endgrent(void);
int getgrouplist(const char *__user, gid_t __group, gid_t *__groups, int *__count);
int initgroups(const char *__user, gid_t __group);
int setgroups(size_t __count, const gid_t *__groups);

#ifdef __cplusplus
}
#endif

#endif
