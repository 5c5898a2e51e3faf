/* <unistd.h>: files, folders and what a process may ask about itself */
#ifndef _UNISTD_H
#define _UNISTD_H

#include <bits/posix-types.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef NULL
#define NULL ((void *)0)
#endif

#define _POSIX_VERSION 200809L
#define _POSIX2_VERSION 200809L
#define _XOPEN_VERSION 700
#define _POSIX_FSYNC 200809L
#define _POSIX_MAPPED_FILES 200809L
#define _POSIX_MONOTONIC_CLOCK 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_THREADS 200809L
#define _POSIX_VDISABLE 0

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

/* Nothing interrupts a call here, but the program was written for where it does. */
#define TEMP_FAILURE_RETRY(expression) \
  (__extension__({ \
    long __result; \
    do __result = (long)(expression); \
    while (__result == -1 && errno == EINTR); \
    __result; \
  }))

typedef unsigned int socklen_t;
typedef __INTPTR_TYPE__ intptr_t;

#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4

#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3

extern char **environ;
extern char *optarg;
extern int optind, opterr, optopt;

int access(const char *__path, int __mode);
int faccessat(int __folder, const char *__path, int __mode, int __flags);
int eaccess(const char *__path, int __mode);
int euidaccess(const char *__path, int __mode);
ssize_t read(int __fd, void *__to, size_t __n);
ssize_t write(int __fd, const void *__from, size_t __n);
ssize_t pread(int __fd, void *__to, size_t __n, off_t __offset);
ssize_t pwrite(int __fd, const void *__from, size_t __n, off_t __offset);
#define pread64 pread
#define pwrite64 pwrite
#define lseek64 lseek
#define ftruncate64 ftruncate
off_t lseek(int __fd, off_t __offset, int __whence);
int close(int __fd);
void closefrom(int __first);
int close_range(unsigned int __first, unsigned int __last, int __flags);
int dup(int __fd);
int dup2(int __fd, int __target);
int dup3(int __fd, int __target, int __flags);
int pipe(int __ends[2]);
int pipe2(int __ends[2], int __flags);
int isatty(int __fd);
char *ttyname(int __fd);
int ttyname_r(int __fd, char *__buffer, size_t __size);
int fsync(int __fd);
int fdatasync(int __fd);
void sync(void);
int syncfs(int __fd);
int ftruncate(int __fd, off_t __size);
int truncate(const char *__path, off_t __size);
int lockf(int __fd, int __command, off_t __size);

int unlink(const char *__path);
int unlinkat(int __folder, const char *__path, int __flags);
int rmdir(const char *__path);
int link(const char *__from, const char *__to);
int linkat(int __from_folder, const char *__from, int __to_folder, const char *__to, int __flags);
int symlink(const char *__text, const char *__path);
int symlinkat(const char *__text, int __folder, const char *__path);
ssize_t readlink(const char *__restrict __path, char *__restrict __to, size_t __size);
ssize_t readlinkat(int __folder, const char *__restrict __path, char *__restrict __to, size_t __size);
int chdir(const char *__path);
int fchdir(int __fd);
char *getcwd(char *__to, size_t __size);
char *getwd(char *__to);
char *get_current_dir_name(void);
int chroot(const char *__path);
int chown(const char *__path, uid_t __owner, gid_t __group);
int fchown(int __fd, uid_t __owner, gid_t __group);
int lchown(const char *__path, uid_t __owner, gid_t __group);
int fchownat(int __folder, const char *__path, uid_t __owner, gid_t __group, int __flags);
int nice(int __increment);

pid_t fork(void);
pid_t vfork(void);
int execv(const char *__path, char *const __arguments[]);
int execve(const char *__path, char *const __arguments[], char *const __environment[]);
int execvp(const char *__file, char *const __arguments[]);
int execvpe(const char *__file, char *const __arguments[], char *const __environment[]);
int execl(const char *__path, const char *__argument, ...);
int execle(const char *__path, const char *__argument, ...);
int execlp(const char *__file, const char *__argument, ...);
int fexecve(int __fd, char *const __arguments[], char *const __environment[]);
_Noreturn void _exit(int __status);
int daemon(int __keep_folder, int __keep_streams);

pid_t getpid(void);
pid_t getppid(void);
pid_t getpgrp(void);
pid_t getpgid(pid_t __process);
pid_t getsid(pid_t __process);
pid_t gettid(void);
int setpgid(pid_t __process, pid_t __group);
int setpgrp(void);
int getresuid(uid_t *__user, uid_t *__effective, uid_t *__saved);
int getresgid(gid_t *__group, gid_t *__effective, gid_t *__saved);
int setresuid(uid_t __user, uid_t __effective, uid_t __saved);
int setresgid(gid_t __group, gid_t __effective, gid_t __saved);
pid_t setsid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int setuid(uid_t __user);
int seteuid(uid_t __user);
int setreuid(uid_t __user, uid_t __effective);
int setgid(gid_t __group);
int setegid(gid_t __group);
int setregid(gid_t __group, gid_t __effective);
int getgroups(int __size, gid_t __groups[]);
char *getlogin(void);
int getlogin_r(char *__name, size_t __size);
int gethostname(char *__name, size_t __size);
int sethostname(const char *__name, size_t __size);
int getdomainname(char *__name, size_t __size);
long gethostid(void);
int getpagesize(void);
int getdtablesize(void);
int getentropy(void *__to, size_t __n);
pid_t tcgetpgrp(int __fd);
int tcsetpgrp(int __fd, pid_t __group);

unsigned sleep(unsigned __seconds);
int usleep(useconds_t __microseconds);
unsigned alarm(unsigned __seconds);
useconds_t ualarm(useconds_t __microseconds, useconds_t __interval);
int pause(void);

int brk(void *__end);
void *sbrk(intptr_t __increment);
long syscall(long __number, ...);
void swab(const void *__restrict __from, void *__restrict __to, ssize_t __n);
char *crypt(const char *__key, const char *__salt);
char *getpass(const char *__prompt);
int getopt(int __argc, char *const __argv[], const char *__options);
ssize_t copy_file_range(int __in, off_t *__in_offset, int __out, off_t *__out_offset, size_t __n, unsigned __flags);

long sysconf(int __name);
long pathconf(const char *__path, int __name);
long fpathconf(int __fd, int __name);
size_t confstr(int __name, char *__to, size_t __size);

enum {
  _SC_ARG_MAX, _SC_CHILD_MAX, _SC_CLK_TCK, _SC_NGROUPS_MAX, _SC_OPEN_MAX, _SC_STREAM_MAX, _SC_TZNAME_MAX,
  _SC_JOB_CONTROL, _SC_SAVED_IDS, _SC_VERSION, _SC_PAGESIZE = 30, _SC_IOV_MAX = 60, _SC_GETPW_R_SIZE_MAX = 70,
  _SC_GETGR_R_SIZE_MAX = 69, _SC_THREADS = 67, _SC_NPROCESSORS_CONF = 83, _SC_NPROCESSORS_ONLN = 84,
  _SC_PHYS_PAGES = 85, _SC_AVPHYS_PAGES = 86, _SC_HOST_NAME_MAX = 180, _SC_LOGIN_NAME_MAX = 71,
  _SC_TTY_NAME_MAX = 72, _SC_SYMLOOP_MAX = 173, _SC_LINE_MAX = 43, _SC_MONOTONIC_CLOCK = 149,
  _SC_THREAD_STACK_MIN = 75, _SC_LEVEL1_DCACHE_LINESIZE = 190
};
#define _SC_PAGE_SIZE _SC_PAGESIZE

enum {
  _PC_LINK_MAX, _PC_MAX_CANON, _PC_MAX_INPUT, _PC_NAME_MAX, _PC_PATH_MAX, _PC_PIPE_BUF, _PC_CHOWN_RESTRICTED,
  _PC_NO_TRUNC, _PC_VDISABLE
};

enum { _CS_PATH };

#ifdef __cplusplus
}
#endif

#endif
