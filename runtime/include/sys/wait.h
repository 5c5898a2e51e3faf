#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H 1

#include <signal.h>
#include <sys/resource.h>
#include <bits/posix-types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WNOHANG 1
#define WUNTRACED 2
#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 0x01000000

#define WEXITSTATUS(status) (((status) >> 8) & 0xff)
#define WTERMSIG(status) ((status) & 0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (WTERMSIG(status) != 0 && WTERMSIG(status) != 0x7f)
#define WIFSTOPPED(status) (((status) & 0xff) == 0x7f)
#define WIFCONTINUED(status) ((status) == 0xffff)
#define WCOREDUMP(status) ((status) & 0x80)
#define W_EXITCODE(code, signal) ((code) << 8 | (signal))
#define W_STOPCODE(signal) ((signal) << 8 | 0x7f)

typedef enum { P_ALL, P_PID, P_PGID } idtype_t;

pid_t wait(int *__status);
pid_t waitpid(pid_t __pid, int *__status, int __options);
int waitid(idtype_t __type, id_t __id, siginfo_t *__info, int __options);
pid_t wait3(int *__status, int __options, struct rusage *__usage);
pid_t wait4(pid_t __pid, int *__status, int __options, struct rusage *__usage);

#ifdef __cplusplus
}
#endif

#endif
