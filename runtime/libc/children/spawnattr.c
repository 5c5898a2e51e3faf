/*
 * Attributes of posix_spawn. They are kept for the program, and have no effect on a child: it has
 * no signals, no process group and no priority that its parent could see.
 */
#include <spawn.h>
#include <string.h>

int posix_spawnattr_init(posix_spawnattr_t *attributes) {
  memset(attributes, 0, sizeof *attributes);
  return 0;
}

int posix_spawnattr_destroy(posix_spawnattr_t *attributes) {
  (void)attributes;
  return 0;
}

#define ATTRIBUTE(name, type, member)                                                            \
  int posix_spawnattr_get##name(const posix_spawnattr_t *restrict attributes, type *restrict to) { \
    *to = attributes->member;                                                                    \
    return 0;                                                                                    \
  }

#define NUMBER(name, type, member)                                          \
  ATTRIBUTE(name, type, member)                                             \
  int posix_spawnattr_set##name(posix_spawnattr_t *attributes, type from) { \
    attributes->member = from;                                              \
    return 0;                                                               \
  }

#define STRUCTURE(name, type, member)                                                             \
  ATTRIBUTE(name, type, member)                                                                   \
  int posix_spawnattr_set##name(posix_spawnattr_t *restrict attributes, const type *restrict from) { \
    attributes->member = *from;                                                                   \
    return 0;                                                                                     \
  }

NUMBER(flags, short, __flags)
NUMBER(pgroup, pid_t, __group)
NUMBER(schedpolicy, int, __policy)
STRUCTURE(sigdefault, sigset_t, __defaults)
STRUCTURE(sigmask, sigset_t, __mask)
STRUCTURE(schedparam, struct sched_param, __priority)
