/* Waiting for children: every child has already ended (children.h). */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "children.h"
#include "result.h"

#define MOST_CHILDREN 64

static struct { pid_t pid; int status; } ended[MOST_CHILDREN];
static pid_t last_pid = 1;

pid_t __rz_add_child(int status) {
  for (int i = 0; i < MOST_CHILDREN; i++)
    if (ended[i].pid == 0) {
      ended[i].pid = ++last_pid;
      ended[i].status = status;
      return last_pid;
    }
  return __rz_error(EAGAIN);
}

pid_t waitpid(pid_t pid, int *status, int options) {
  (void)options;
  for (int i = 0; i < MOST_CHILDREN; i++)
    if (ended[i].pid != 0 && (pid <= 0 || ended[i].pid == pid)) {
      pid_t found = ended[i].pid;
      if (status) *status = ended[i].status;
      ended[i].pid = 0;
      return found;
    }
  return __rz_error(ECHILD);
}

pid_t wait(int *status) { return waitpid(-1, status, 0); }

int waitid(idtype_t type, id_t id, siginfo_t *info, int options) {
  int status;
  pid_t pid = waitpid(type == P_PID ? (pid_t)id : -1, &status, options);
  if (pid < 0) return -1;
  if (info) {
    memset(info, 0, sizeof *info);
    info->si_signo = SIGCHLD;
    info->si_pid = pid;
    info->si_status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  }
  return 0;
}

pid_t wait3(int *status, int options, struct rusage *usage) { return wait4(-1, status, options, usage); }

pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage) {
  if (usage) memset(usage, 0, sizeof *usage);
  return waitpid(pid, status, options);
}
