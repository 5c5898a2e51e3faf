/* The identity of the process: one process and one ordinary user, fixed on every machine. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "result.h"

enum { PROCESS = 1000, PARENT = 1, USER = 1000, GROUP = 1000 };

pid_t getpid(void) { return PROCESS; }
pid_t gettid(void) { return PROCESS; }
pid_t getppid(void) { return PARENT; }
pid_t getpgrp(void) { return PROCESS; }
pid_t setsid(void) { return __rz_error(EPERM); }
uid_t getuid(void) { return USER; }
uid_t geteuid(void) { return USER; }
gid_t getgid(void) { return GROUP; }
gid_t getegid(void) { return GROUP; }

static int is_self(pid_t process) { return process == 0 || process == PROCESS; }

pid_t getpgid(pid_t process) { return is_self(process) ? PROCESS : __rz_error(ESRCH); }
pid_t getsid(pid_t process) { return is_self(process) ? PROCESS : __rz_error(ESRCH); }

int setpgid(pid_t process, pid_t group) {
  if (!is_self(process)) return __rz_error(ESRCH);
  return is_self(group) ? 0 : __rz_error(EPERM);
}

int setpgrp(void) { return setpgid(0, 0); }

int getresuid(uid_t *real, uid_t *effective, uid_t *saved) {
  *real = *effective = *saved = USER;
  return 0;
}

int getresgid(gid_t *real, gid_t *effective, gid_t *saved) {
  *real = *effective = *saved = GROUP;
  return 0;
}

/* Changing to the current user succeeds; changing to another one fails. */
int setuid(uid_t user) { return user == USER ? 0 : __rz_error(EPERM); }
int seteuid(uid_t user) { return setuid(user); }
int setreuid(uid_t user, uid_t effective) {
  return (user == USER || user == (uid_t)-1) && (effective == USER || effective == (uid_t)-1) ? 0 : __rz_error(EPERM);
}
int setgid(gid_t group) { return group == GROUP ? 0 : __rz_error(EPERM); }
int setegid(gid_t group) { return setgid(group); }
int setregid(gid_t group, gid_t effective) {
  return (group == GROUP || group == (gid_t)-1) && (effective == GROUP || effective == (gid_t)-1) ? 0 : __rz_error(EPERM);
}
int setresuid(uid_t user, uid_t effective, uid_t saved) {
  return setreuid(user, effective) == 0 && setreuid(user, saved) == 0 ? 0 : -1;
}
int setresgid(gid_t group, gid_t effective, gid_t saved) {
  return setregid(group, effective) == 0 && setregid(group, saved) == 0 ? 0 : -1;
}

int getgroups(int size, gid_t groups[]) {
  if (size < 0) return __rz_error(EINVAL);
  if (size > 0) groups[0] = GROUP;
  return 1;
}
