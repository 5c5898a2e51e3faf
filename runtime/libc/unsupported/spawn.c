/* spawn.h: see unsupported.h. */
#include <spawn.h>

#include "unsupported.h"

int posix_spawn(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *restrict attributes, char *const arguments[], char *const environment[]) {
  (void)pid, (void)path, (void)actions, (void)attributes, (void)arguments, (void)environment;
  UNSUPPORTED("posix_spawn", ONE_PROCESS);
}

int posix_spawnp(pid_t *restrict pid, const char *restrict file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *restrict attributes, char *const arguments[], char *const environment[]) {
  (void)pid, (void)file, (void)actions, (void)attributes, (void)arguments, (void)environment;
  UNSUPPORTED("posix_spawnp", ONE_PROCESS);
}

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions) {
  (void)actions;
  UNSUPPORTED("posix_spawn_file_actions_init", ONE_PROCESS);
}

int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions) {
  (void)actions;
  UNSUPPORTED("posix_spawn_file_actions_destroy", ONE_PROCESS);
}

int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *restrict actions, int fd, const char *restrict path, int flags, mode_t mode) {
  (void)actions, (void)fd, (void)path, (void)flags, (void)mode;
  UNSUPPORTED("posix_spawn_file_actions_addopen", ONE_PROCESS);
}

int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int fd) {
  (void)actions, (void)fd;
  UNSUPPORTED("posix_spawn_file_actions_addclose", ONE_PROCESS);
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int fd, int new_fd) {
  (void)actions, (void)fd, (void)new_fd;
  UNSUPPORTED("posix_spawn_file_actions_adddup2", ONE_PROCESS);
}

int posix_spawnattr_init(posix_spawnattr_t *attributes) {
  (void)attributes;
  UNSUPPORTED("posix_spawnattr_init", ONE_PROCESS);
}

int posix_spawnattr_destroy(posix_spawnattr_t *attributes) {
  (void)attributes;
  UNSUPPORTED("posix_spawnattr_destroy", ONE_PROCESS);
}

int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags) {
  (void)attributes, (void)flags;
  UNSUPPORTED("posix_spawnattr_setflags", ONE_PROCESS);
}
