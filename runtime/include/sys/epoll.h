#ifndef _SYS_EPOLL_H
#define _SYS_EPOLL_H 1

#include <signal.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { EPOLL_CLOEXEC = 02000000 };
#define EPOLLIN 0x001u
#define EPOLLPRI 0x002u
#define EPOLLOUT 0x004u
#define EPOLLERR 0x008u
#define EPOLLHUP 0x010u
#define EPOLLRDHUP 0x2000u
#define EPOLLONESHOT (1u << 30)
#define EPOLLET (1u << 31)
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3

typedef union epoll_data {
  void *ptr;
  int fd;
  uint32_t u32;
  uint64_t u64;
} epoll_data_t;

struct epoll_event {
  uint32_t events;
  epoll_data_t data;
} __attribute__((__packed__));

int epoll_create(int size);
int epoll_create1(int flags);
int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event);
int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout);
int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout, const sigset_t *mask);

#ifdef __cplusplus
}
#endif

#endif
