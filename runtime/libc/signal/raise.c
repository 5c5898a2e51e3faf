#include "signals.h"

#include <errno.h>
#include <unistd.h>

static int send(int signal, int code, union sigval value) {
  if (signal == 0) return 0;
  if (!__rz_signal_is_valid(signal)) {
    errno = EINVAL;
    return -1;
  }
  const siginfo_t info = {
      .si_signo = signal, .si_code = code, .si_pid = getpid(), .si_uid = getuid(), .si_value = value};
  __rz_signal_send(&info);
  return 0;
}

int raise(int signal) {
  return send(signal, SI_TKILL, (union sigval){.sival_ptr = 0});
}

/* There is one process here, alone in its group; other processes do not exist. */
static int is_this_process(pid_t pid) { return pid == 0 || pid == -1 || pid == getpid() || pid == -getpid(); }

int kill(pid_t pid, int signal) {
  if (!is_this_process(pid)) {
    errno = ESRCH;
    return -1;
  }
  return send(signal, SI_USER, (union sigval){.sival_ptr = 0});
}

int killpg(pid_t group, int signal) { return kill(-group, signal); }

int sigqueue(pid_t pid, int signal, const union sigval value) {
  if (!is_this_process(pid)) {
    errno = ESRCH;
    return -1;
  }
  return send(signal, SI_QUEUE, value);
}
