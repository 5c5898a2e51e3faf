/* Waiting for children: there are none. */
#include <errno.h>
#include <sys/wait.h>

static int no_child(void) {
  errno = ECHILD;
  return -1;
}

pid_t wait(int *status) {
  (void)status;
  return no_child();
}

pid_t waitpid(pid_t pid, int *status, int options) {
  (void)pid, (void)status, (void)options;
  return no_child();
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int options) {
  (void)type, (void)id, (void)info, (void)options;
  return no_child();
}

pid_t wait3(int *status, int options, struct rusage *usage) {
  (void)status, (void)options, (void)usage;
  return no_child();
}

pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage) {
  (void)pid, (void)status, (void)options, (void)usage;
  return no_child();
}
