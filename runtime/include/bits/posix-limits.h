/* Limits of POSIX that <dirent.h> has, too, as in glibc: programs read names of files with them. */
#ifndef _BITS_POSIX_LIMITS_H
#define _BITS_POSIX_LIMITS_H

#define PATH_MAX 4096
#define NAME_MAX 255
#define PIPE_BUF 4096
#define MAX_CANON 255
#define MAX_INPUT 255
#define NGROUPS_MAX 32
#define HOST_NAME_MAX 255
#define LOGIN_NAME_MAX 256
#define TTY_NAME_MAX 32
#define SSIZE_MAX 0x7fffffffffffffffL
#define SEM_VALUE_MAX 0x7fffffff
#define PTHREAD_KEYS_MAX 128
#define PTHREAD_STACK_MIN 16384
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define DELAYTIMER_MAX 0x7fffffff
#define MQ_PRIO_MAX 32768
#define RTSIG_MAX 32

#endif
