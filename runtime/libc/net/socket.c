/* Sockets: the program runs without a network, so none can be made, and no descriptor is one. */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>

#include "unsupported.h"

int socket(int domain, int type, int protocol) {
  (void)domain, (void)type, (void)protocol;
  UNSUPPORTED("socket", NO_NETWORK);
}

int socketpair(int domain, int type, int protocol, int pair[2]) {
  (void)pair;
  return socket(domain, type, protocol);
}

static int not_a_socket(int fd) {
  if (fcntl(fd, F_GETFD) >= 0) errno = ENOTSOCK;
  return -1;
}

int bind(int fd, const struct sockaddr *address, socklen_t length) {
  (void)address, (void)length;
  return not_a_socket(fd);
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
  (void)address, (void)length;
  return not_a_socket(fd);
}

int listen(int fd, int backlog) {
  (void)backlog;
  return not_a_socket(fd);
}

int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict length) {
  (void)address, (void)length;
  return not_a_socket(fd);
}

int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
  (void)flags;
  return accept(fd, address, length);
}

int getsockname(int fd, struct sockaddr *restrict address, socklen_t *restrict length) {
  return accept(fd, address, length);
}

int getpeername(int fd, struct sockaddr *restrict address, socklen_t *restrict length) {
  return accept(fd, address, length);
}

int getsockopt(int fd, int level, int name, void *restrict value, socklen_t *restrict length) {
  (void)level, (void)name, (void)value, (void)length;
  return not_a_socket(fd);
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t length) {
  (void)level, (void)name, (void)value, (void)length;
  return not_a_socket(fd);
}

ssize_t send(int fd, const void *data, size_t size, int flags) {
  (void)data, (void)size, (void)flags;
  return not_a_socket(fd);
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *address, socklen_t length) {
  (void)address, (void)length;
  return send(fd, data, size, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  (void)message, (void)flags;
  return not_a_socket(fd);
}

ssize_t recv(int fd, void *data, size_t size, int flags) {
  (void)data, (void)size, (void)flags;
  return not_a_socket(fd);
}

ssize_t recvfrom(int fd, void *restrict data, size_t size, int flags, struct sockaddr *restrict address,
                 socklen_t *restrict length) {
  (void)address, (void)length;
  return recv(fd, data, size, flags);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  (void)message, (void)flags;
  return not_a_socket(fd);
}

int shutdown(int fd, int how) {
  (void)how;
  return not_a_socket(fd);
}

int sockatmark(int fd) { return not_a_socket(fd); }

struct cmsghdr *__rz_next_control(struct msghdr *header, struct cmsghdr *message) {
  char *end = (char *)header->msg_control + header->msg_controllen;
  char *next = (char *)message + CMSG_ALIGN(message->cmsg_len);
  const int fits = message->cmsg_len >= sizeof *message && (size_t)(end - (char *)message) >= CMSG_ALIGN(message->cmsg_len) &&
                   (size_t)(end - next) >= sizeof *message;
  return fits ? (struct cmsghdr *)(void *)next : 0;
}
