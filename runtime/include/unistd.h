/* <unistd.h>: files, folders and what a process may ask about itself */
#ifndef _UNISTD_H
#define _UNISTD_H

#include <sys/types.h>

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

int access(const char *path, int mode);
int faccessat(int folder, const char *path, int mode, int flags);
int eaccess(const char *path, int mode);
int euidaccess(const char *path, int mode);
ssize_t read(int fd, void *to, size_t n);
ssize_t write(int fd, const void *from, size_t n);
ssize_t pread(int fd, void *to, size_t n, off_t offset);
ssize_t pwrite(int fd, const void *from, size_t n, off_t offset);
#define pread64 pread
#define pwrite64 pwrite
#define lseek64 lseek
#define ftruncate64 ftruncate
off_t lseek(int fd, off_t offset, int whence);
int close(int fd);
int dup(int fd);
int dup2(int fd, int target);
int dup3(int fd, int target, int flags);
int pipe(int ends[2]);
int pipe2(int ends[2], int flags);
int isatty(int fd);
char *ttyname(int fd);
int ttyname_r(int fd, char *buffer, size_t size);
int fsync(int fd);
int fdatasync(int fd);
void sync(void);
int syncfs(int fd);
int ftruncate(int fd, off_t size);
int truncate(const char *path, off_t size);
int lockf(int fd, int command, off_t size);

int unlink(const char *path);
int unlinkat(int folder, const char *path, int flags);
int rmdir(const char *path);
int link(const char *from, const char *to);
int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int symlink(const char *text, const char *path);
int symlinkat(const char *text, int folder, const char *path);
ssize_t readlink(const char *restrict path, char *restrict to, size_t size);
ssize_t readlinkat(int folder, const char *restrict path, char *restrict to, size_t size);
int chdir(const char *path);
int fchdir(int fd);
char *getcwd(char *to, size_t size);
char *getwd(char *to);
char *get_current_dir_name(void);
int chroot(const char *path);
int chown(const char *path, uid_t owner, gid_t group);
int fchown(int fd, uid_t owner, gid_t group);
int lchown(const char *path, uid_t owner, gid_t group);
int fchownat(int folder, const char *path, uid_t owner, gid_t group, int flags);
int nice(int increment);

pid_t fork(void);
pid_t vfork(void);
int execv(const char *path, char *const arguments[]);
int execve(const char *path, char *const arguments[], char *const environment[]);
int execvp(const char *file, char *const arguments[]);
int execvpe(const char *file, char *const arguments[], char *const environment[]);
int execl(const char *path, const char *argument, ...);
int execle(const char *path, const char *argument, ...);
int execlp(const char *file, const char *argument, ...);
int fexecve(int fd, char *const arguments[], char *const environment[]);
_Noreturn void _exit(int status);
int daemon(int keep_folder, int keep_streams);

pid_t getpid(void);
pid_t getppid(void);
pid_t getpgrp(void);
pid_t getpgid(pid_t process);
pid_t getsid(pid_t process);
pid_t gettid(void);
int setpgid(pid_t process, pid_t group);
pid_t setsid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int setuid(uid_t user);
int seteuid(uid_t user);
int setreuid(uid_t user, uid_t effective);
int setgid(gid_t group);
int setegid(gid_t group);
int setregid(gid_t group, gid_t effective);
int getgroups(int size, gid_t groups[]);
char *getlogin(void);
int getlogin_r(char *name, size_t size);
int gethostname(char *name, size_t size);
int sethostname(const char *name, size_t size);
int getdomainname(char *name, size_t size);
long gethostid(void);
int getpagesize(void);
int getdtablesize(void);
int getentropy(void *to, size_t n);
pid_t tcgetpgrp(int fd);
int tcsetpgrp(int fd, pid_t group);

unsigned sleep(unsigned seconds);
int usleep(useconds_t microseconds);
unsigned alarm(unsigned seconds);
useconds_t ualarm(useconds_t microseconds, useconds_t interval);
int pause(void);

int brk(void *end);
void *sbrk(intptr_t increment);
long syscall(long number, ...);
void swab(const void *restrict from, void *restrict to, ssize_t n);
char *crypt(const char *key, const char *salt);
char *getpass(const char *prompt);
int getopt(int argc, char *const argv[], const char *options);
ssize_t copy_file_range(int in, off_t *in_offset, int out, off_t *out_offset, size_t n, unsigned flags);

long sysconf(int name);
long pathconf(const char *path, int name);
long fpathconf(int fd, int name);
size_t confstr(int name, char *to, size_t size);

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
