#ifndef _SYS_SOCKET_H
#define _SYS_SOCKET_H 1

#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;

struct sockaddr {
  sa_family_t sa_family;
  char sa_data[14];
};

struct sockaddr_storage {
  sa_family_t ss_family;
  char __data[118];
  unsigned long __align;
};

struct msghdr {
  void *msg_name;
  socklen_t msg_namelen;
  struct iovec *msg_iov;
  size_t msg_iovlen;
  void *msg_control;
  size_t msg_controllen;
  int msg_flags;
};

struct cmsghdr {
  size_t cmsg_len;
  int cmsg_level;
  int cmsg_type;
};

#define CMSG_ALIGN(n) (((n) + sizeof(size_t) - 1) & ~(sizeof(size_t) - 1))
#define CMSG_SPACE(n) (CMSG_ALIGN(n) + CMSG_ALIGN(sizeof(struct cmsghdr)))
#define CMSG_LEN(n) (CMSG_ALIGN(sizeof(struct cmsghdr)) + (n))
#define CMSG_DATA(message) ((unsigned char *)((struct cmsghdr *)(message) + 1))
#define CMSG_FIRSTHDR(header)                              \
  ((header)->msg_controllen >= sizeof(struct cmsghdr)      \
       ? (struct cmsghdr *)(header)->msg_control           \
       : (struct cmsghdr *)0)
#define CMSG_NXTHDR(header, message) __rz_next_control((header), (message))
struct cmsghdr *__rz_next_control(struct msghdr *__header, struct cmsghdr *__message);

struct linger {
  int l_onoff;
  int l_linger;
};

struct ucred {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};

#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOCK_RDM 4
#define SOCK_SEQPACKET 5
#define SOCK_NONBLOCK 04000
#define SOCK_CLOEXEC 02000000

#define PF_UNSPEC 0
#define PF_UNIX 1
#define PF_LOCAL PF_UNIX
#define PF_INET 2
#define PF_INET6 10
#define PF_NETLINK 16
#define PF_PACKET 17
#define AF_UNSPEC PF_UNSPEC
#define AF_UNIX PF_UNIX
#define AF_LOCAL PF_LOCAL
#define AF_INET PF_INET
#define AF_INET6 PF_INET6
#define AF_NETLINK PF_NETLINK
#define AF_PACKET PF_PACKET

#define SOL_SOCKET 1
#define SO_DEBUG 1
#define SO_REUSEADDR 2
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_DONTROUTE 5
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_OOBINLINE 10
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_PASSCRED 16
#define SO_PEERCRED 17
#define SO_RCVLOWAT 18
#define SO_SNDLOWAT 19
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SO_ACCEPTCONN 30
#define SO_PROTOCOL 38
#define SO_DOMAIN 39
#define SCM_RIGHTS 1
#define SCM_CREDENTIALS 2
#define SOMAXCONN 4096

#define MSG_OOB 0x1
#define MSG_PEEK 0x2
#define MSG_DONTROUTE 0x4
#define MSG_CTRUNC 0x8
#define MSG_TRUNC 0x20
#define MSG_DONTWAIT 0x40
#define MSG_EOR 0x80
#define MSG_WAITALL 0x100
#define MSG_NOSIGNAL 0x4000
#define MSG_MORE 0x8000
#define MSG_CMSG_CLOEXEC 0x40000000

#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2

int socket(int __domain, int __type, int __protocol);
int socketpair(int __domain, int __type, int __protocol, int __pair[2]);
int bind(int __socket, const struct sockaddr *__address, socklen_t __length);
int connect(int __socket, const struct sockaddr *__address, socklen_t __length);
int listen(int __socket, int __backlog);
int accept(int __socket, struct sockaddr *__restrict __address, socklen_t *__restrict __length);
int accept4(int __socket, struct sockaddr *__restrict __address, socklen_t *__restrict __length, int __flags);
int getsockname(int __socket, struct sockaddr *__restrict __address, socklen_t *__restrict __length);
int getpeername(int __socket, struct sockaddr *__restrict __address, socklen_t *__restrict __length);
int getsockopt(int __socket, int __level, int __name, void *__restrict __value, socklen_t *__restrict __length);
int setsockopt(int __socket, int __level, int __name, const void *__value, socklen_t __length);
ssize_t send(int __socket, const void *__data, size_t __size, int __flags);
ssize_t sendto(int __socket, const void *__data, size_t __size, int __flags, const struct sockaddr *__address,
               socklen_t __length);
ssize_t sendmsg(int __socket, const struct msghdr *__message, int __flags);
ssize_t recv(int __socket, void *__data, size_t __size, int __flags);
ssize_t recvfrom(int __socket, void *__restrict __data, size_t __size, int __flags,
                 struct sockaddr *__restrict __address, socklen_t *__restrict __length);
ssize_t recvmsg(int __socket, struct msghdr *__message, int __flags);
int shutdown(int __socket, int __how);
int sockatmark(int __socket);

#ifdef __cplusplus
}
#endif

#endif
