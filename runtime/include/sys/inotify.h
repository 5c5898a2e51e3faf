#ifndef _SYS_INOTIFY_H
#define _SYS_INOTIFY_H 1

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Redzone has no such service: calls are reported as unsupported. */
enum { IN_CLOEXEC = 02000000, IN_NONBLOCK = 04000 };
#define IN_ACCESS 1u
#define IN_MODIFY 2u
#define IN_ATTRIB 4u
#define IN_CLOSE_WRITE 8u
#define IN_CLOSE_NOWRITE 16u
#define IN_CLOSE 24u
#define IN_OPEN 32u
#define IN_MOVED_FROM 64u
#define IN_MOVED_TO 128u
#define IN_MOVE 192u
#define IN_CREATE 256u
#define IN_DELETE 512u
#define IN_DELETE_SELF 1024u
#define IN_MOVE_SELF 2048u
#define IN_ALL_EVENTS 4095u
#define IN_UNMOUNT 0x2000u
#define IN_Q_OVERFLOW 0x4000u
#define IN_IGNORED 0x8000u
#define IN_ONLYDIR 0x1000000u
#define IN_DONT_FOLLOW 0x2000000u
#define IN_EXCL_UNLINK 0x4000000u
#define IN_MASK_ADD 0x20000000u
#define IN_ISDIR 0x40000000u
#define IN_ONESHOT 0x80000000u

struct inotify_event {
  int wd;
  uint32_t mask, cookie, len;
  char name[];
};

int inotify_init(void);
int inotify_init1(int flags);
int inotify_add_watch(int fd, const char *path, uint32_t mask);
int inotify_rm_watch(int fd, int watch);

#ifdef __cplusplus
}
#endif

#endif
