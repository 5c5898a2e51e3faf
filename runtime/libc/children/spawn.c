/* posix_spawn: the child has ended when it returns, and wait finds it. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "children.h"

#define MOST_ACTIONS 8

static int add(posix_spawn_file_actions_t *actions, struct __spawn_action action) {
  if (actions->__count == MOST_ACTIONS) return ENOMEM;
  actions->__actions[actions->__count++] = action;
  return 0;
}

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions) {
  memset(actions, 0, sizeof *actions);
  return 0;
}

int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions) {
  for (int i = 0; i < actions->__count; i++) free(actions->__actions[i].__path);
  actions->__count = 0;
  return 0;
}

int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *restrict actions, int fd, const char *restrict path,
                                     int flags, mode_t mode) {
  char *copy = strdup(path);
  if (!copy) return ENOMEM;
  int failure = add(actions, (struct __spawn_action){fd, -1, flags, mode, copy});
  if (failure) free(copy);
  return failure;
}

int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int fd) {
  return add(actions, (struct __spawn_action){fd, -1, 0, 0, NULL});
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int fd, int new_fd) {
  return add(actions, (struct __spawn_action){new_fd, fd, 0, 0, NULL});
}

/* The streams as the child gets them; files that are opened for it go to `opened`. */
static int arrange(const posix_spawn_file_actions_t *actions, int streams[3], int opened[MOST_ACTIONS]) {
  for (int i = 0; actions && i < actions->__count; i++) {
    const struct __spawn_action *action = &actions->__actions[i];
    int fd = action->__from;
    if (action->__path) fd = opened[i] = open(action->__path, action->__flags, action->__mode);
    if (action->__path && fd < 0) return errno;
    /* Other descriptors than the standard streams are not passed on. */
    if (action->__fd >= 0 && action->__fd < 3) streams[action->__fd] = fd >= 0 && fd < 3 && !action->__path ? streams[fd] : fd;
  }
  return 0;
}

static int spawn(const char *call, pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                 char *const arguments[], char *const environment[]) {
  int streams[3] = {0, 1, 2}, opened[MOST_ACTIONS];
  memset(opened, -1, sizeof opened);
  int failure = arrange(actions, streams, opened), status = -1;
  if (!failure) {
    status = __rz_run_program(call, path, arguments, environment, streams);
    failure = status < 0 ? errno : 0;
  }
  for (int i = 0; i < MOST_ACTIONS; i++)
    if (opened[i] >= 0) close(opened[i]);
  if (failure) return failure;
  pid_t child = __rz_add_child(status);
  if (child < 0) return errno;
  if (pid) *pid = child;
  return 0;
}

int posix_spawn(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *restrict attributes, char *const arguments[], char *const environment[]) {
  (void)attributes;
  /* Without a slash it is a file of the current folder. */
  if (strchr(path, '/')) return spawn("posix_spawn", pid, path, actions, arguments, environment);
  char *here = malloc(strlen(path) + 3);
  if (!here) return ENOMEM;
  strcpy(stpcpy(here, "./"), path);
  int failure = spawn("posix_spawn", pid, here, actions, arguments, environment);
  free(here);
  return failure;
}

int posix_spawnp(pid_t *restrict pid, const char *restrict file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *restrict attributes, char *const arguments[], char *const environment[]) {
  (void)attributes;
  return spawn("posix_spawnp", pid, file, actions, arguments, environment);
}
