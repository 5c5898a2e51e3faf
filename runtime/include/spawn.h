#ifndef _SPAWN_H
#define _SPAWN_H 1

#include <sched.h>
#include <signal.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The child has ended when the call returns. */
#define POSIX_SPAWN_RESETIDS 1
#define POSIX_SPAWN_SETPGROUP 2
#define POSIX_SPAWN_SETSIGDEF 4
#define POSIX_SPAWN_SETSIGMASK 8
#define POSIX_SPAWN_SETSCHEDPARAM 16
#define POSIX_SPAWN_SETSCHEDULER 32
#define POSIX_SPAWN_USEVFORK 64
#define POSIX_SPAWN_SETSID 128

typedef struct {
  short __flags;
  pid_t __group;
  sigset_t __defaults, __mask;
  int __policy;
  struct sched_param __priority;
} posix_spawnattr_t;

/* `__fd` of the child is `__from`, or the file at `__path`, or closed. */
struct __spawn_action {
  int __fd, __from, __flags;
  mode_t __mode;
  char *__path;
};
typedef struct {
  int __count;
  struct __spawn_action __actions[8];
} posix_spawn_file_actions_t;

int posix_spawn(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *restrict attributes, char *const arguments[], char *const environment[]);
int posix_spawnp(pid_t *restrict pid, const char *restrict file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *restrict attributes, char *const arguments[], char *const environment[]);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *restrict actions, int fd, const char *restrict path, int flags, mode_t mode);
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int fd);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int fd, int new_fd);
int posix_spawnattr_init(posix_spawnattr_t *attributes);
int posix_spawnattr_destroy(posix_spawnattr_t *attributes);
int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags);
int posix_spawnattr_getflags(const posix_spawnattr_t *restrict attributes, short *restrict flags);
int posix_spawnattr_setpgroup(posix_spawnattr_t *attributes, pid_t group);
int posix_spawnattr_getpgroup(const posix_spawnattr_t *restrict attributes, pid_t *restrict group);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *restrict attributes, const sigset_t *restrict signals);
int posix_spawnattr_getsigdefault(const posix_spawnattr_t *restrict attributes, sigset_t *restrict signals);
int posix_spawnattr_setsigmask(posix_spawnattr_t *restrict attributes, const sigset_t *restrict signals);
int posix_spawnattr_getsigmask(const posix_spawnattr_t *restrict attributes, sigset_t *restrict signals);
int posix_spawnattr_setschedpolicy(posix_spawnattr_t *attributes, int policy);
int posix_spawnattr_getschedpolicy(const posix_spawnattr_t *restrict attributes, int *restrict policy);
int posix_spawnattr_setschedparam(posix_spawnattr_t *restrict attributes, const struct sched_param *restrict priority);
int posix_spawnattr_getschedparam(const posix_spawnattr_t *restrict attributes, struct sched_param *restrict priority);

#ifdef __cplusplus
}
#endif

#endif
