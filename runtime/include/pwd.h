#ifndef _PWD_H
#define _PWD_H 1

#include <stddef.h>
#include <stdio.h>
#include <bits/posix-types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct passwd {
  char *pw_name;
  char *pw_passwd;
  uid_t pw_uid;
  gid_t pw_gid;
  char *pw_gecos;
  char *pw_dir;
  char *pw_shell;
};

struct passwd *getpwnam(const char *__name);
struct passwd *getpwuid(uid_t __uid);
int getpwnam_r(const char *__restrict __name, struct passwd *__restrict __entry, char *__restrict __buffer,
               size_t __size, struct passwd **__restrict __result);
int getpwuid_r(uid_t __uid, struct passwd *__restrict __entry, char *__restrict __buffer, size_t __size,
               struct passwd **__restrict __result);
struct passwd *getpwent(void);
void setpwent(void);
void endpwent(void);
struct passwd *fgetpwent(FILE *__stream);
int putpwent(const struct passwd *__restrict __entry, FILE *__restrict __stream);

#ifdef __cplusplus
}
#endif

#endif
