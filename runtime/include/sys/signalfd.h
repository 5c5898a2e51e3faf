#ifndef _SYS_SIGNALFD_H
#define _SYS_SIGNALFD_H 1

#include <signal.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Redzone has no such service: calls are reported as unsupported. */
enum { SFD_CLOEXEC = 02000000, SFD_NONBLOCK = 04000 };
struct signalfd_siginfo {
  uint32_t ssi_signo;
  int32_t ssi_errno, ssi_code;
  uint32_t ssi_pid, ssi_uid;
  int32_t ssi_fd;
  unsigned char __rest[104];
};

int signalfd(int fd, const sigset_t *mask, int flags);

#ifdef __cplusplus
}
#endif

#endif
