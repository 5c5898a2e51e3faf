#ifndef _SIGNAL_H
#define _SIGNAL_H 1

#include <bits/pthread-types.h>
#include <bits/sigset.h>
#include <bits/posix-types.h>
#include <bits/timespec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int sig_atomic_t;
typedef void (*sighandler_t)(int);
typedef sighandler_t sig_t;
typedef sighandler_t __sighandler_t;

/*
 * On WebAssembly a function pointer is a small number, from 1 on: the special ones must not look
 * like that.
 */
#define SIG_DFL ((sighandler_t)0)
#define SIG_IGN ((sighandler_t)-2)
#define SIG_HOLD ((sighandler_t)-3)
#define SIG_ERR ((sighandler_t)-1)

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT SIGABRT
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCLD SIGCHLD
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL SIGIO
#define SIGPWR 30
#define SIGSYS 31
#define SIGRTMIN 34
#define SIGRTMAX 64
#define _NSIG 65
#define NSIG _NSIG

union sigval {
  int sival_int;
  void *sival_ptr;
};
typedef union sigval sigval_t;

typedef struct siginfo {
  int si_signo;
  int si_errno;
  int si_code;
  pid_t si_pid;
  uid_t si_uid;
  int si_status;
  void *si_addr;
  long si_band;
  int si_fd;
  int si_timerid;
  int si_overrun;
  union sigval si_value;
} siginfo_t;
#define si_int si_value.sival_int
#define si_ptr si_value.sival_ptr

#define SI_USER 0
#define SI_KERNEL 0x80
#define SI_QUEUE (-1)
#define SI_TIMER (-2)
#define SI_MESGQ (-3)
#define SI_ASYNCIO (-4)
#define SI_SIGIO (-5)
#define SI_TKILL (-6)
#define ILL_ILLOPC 1
#define ILL_ILLOPN 2
#define ILL_ILLADR 3
#define ILL_ILLTRP 4
#define ILL_PRVOPC 5
#define ILL_PRVREG 6
#define ILL_COPROC 7
#define ILL_BADSTK 8
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define FPE_FLTOVF 4
#define FPE_FLTUND 5
#define FPE_FLTRES 6
#define FPE_FLTINV 7
#define FPE_FLTSUB 8
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define BUS_ADRALN 1
#define BUS_ADRERR 2
#define BUS_OBJERR 3
#define TRAP_BRKPT 1
#define TRAP_TRACE 2
#define CLD_EXITED 1
#define CLD_KILLED 2
#define CLD_DUMPED 3
#define CLD_TRAPPED 4
#define CLD_STOPPED 5
#define CLD_CONTINUED 6
#define POLL_IN 1
#define POLL_OUT 2
#define POLL_MSG 3
#define POLL_ERR 4
#define POLL_PRI 5
#define POLL_HUP 6

struct sigaction {
  union {
    sighandler_t sa_handler;
    void (*sa_sigaction)(int, siginfo_t *, void *);
  } __sigaction_handler;
  sigset_t sa_mask;
  int sa_flags;
  void (*sa_restorer)(void);
};
#define sa_handler __sigaction_handler.sa_handler
#define sa_sigaction __sigaction_handler.sa_sigaction

#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SA_NOMASK SA_NODEFER
#define SA_ONESHOT SA_RESETHAND
#define SA_INTERRUPT 0x20000000

#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

typedef struct {
  void *ss_sp;
  int ss_flags;
  size_t ss_size;
} stack_t;
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192

struct sigevent {
  union sigval sigev_value;
  int sigev_signo;
  int sigev_notify;
  void (*sigev_notify_function)(union sigval);
  void *sigev_notify_attributes;
};
typedef struct sigevent sigevent_t;
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2

typedef struct {
  int __reserved;
} mcontext_t;

typedef struct ucontext_t {
  unsigned long uc_flags;
  struct ucontext_t *uc_link;
  stack_t uc_stack;
  mcontext_t uc_mcontext;
  sigset_t uc_sigmask;
} ucontext_t;

sighandler_t signal(int __signal, sighandler_t __handler);
sighandler_t bsd_signal(int __signal, sighandler_t __handler);
sighandler_t sysv_signal(int __signal, sighandler_t __handler);
int raise(int __signal);
int kill(pid_t __pid, int __signal);
int killpg(pid_t __group, int __signal);
int sigaction(int __signal, const struct sigaction *__restrict __new, struct sigaction *__restrict __old);
int sigprocmask(int __how, const sigset_t *__restrict __set, sigset_t *__restrict __old);
int pthread_kill(pthread_t __id, int __signal);
int pthread_sigmask(int __how, const sigset_t *__restrict __set, sigset_t *__restrict __old);
int sigemptyset(sigset_t *__set);
int sigfillset(sigset_t *__set);
int sigaddset(sigset_t *__set, int __signal);
int sigdelset(sigset_t *__set, int __signal);
int sigismember(const sigset_t *__set, int __signal);
int sigisemptyset(const sigset_t *__set);
int sigorset(sigset_t *__to, const sigset_t *__left, const sigset_t *__right);
int sigandset(sigset_t *__to, const sigset_t *__left, const sigset_t *__right);
int sigpending(sigset_t *__set);
int sigsuspend(const sigset_t *__mask);
int sigwait(const sigset_t *__restrict __set, int *__restrict __signal);
int sigwaitinfo(const sigset_t *__restrict __set, siginfo_t *__restrict __info);
int sigtimedwait(const sigset_t *__restrict __set, siginfo_t *__restrict __info,
                 const struct timespec *__restrict __timeout);
int sigqueue(pid_t __pid, int __signal, const union sigval __value);
int sigaltstack(const stack_t *__restrict __new, stack_t *__restrict __old);
int siginterrupt(int __signal, int __interrupt);
int sighold(int __signal);

/* Masks of the first 32 signals, BSD. */
#define sigmask(signal) ((int)(1u << ((signal) - 1)))
int sigblock(int __mask);
int sigsetmask(int __mask);
int siggetmask(void);
int sigrelse(int __signal);
int sigignore(int __signal);
void psignal(int __signal, const char *__message);
void psiginfo(const siginfo_t *__info, const char *__message);

#ifdef __cplusplus
}
#endif

#endif
