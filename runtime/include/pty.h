#ifndef _PTY_H
#define _PTY_H 1

#include <termios.h>
#include <sys/ioctl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program is one process: calls are reported as unsupported. */
int openpty(int *leader, int *follower, char *name, const struct termios *modes, const struct winsize *size);
int forkpty(int *leader, char *name, const struct termios *modes, const struct winsize *size);

#ifdef __cplusplus
}
#endif

#endif
