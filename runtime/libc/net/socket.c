/*
 * Sockets: streams and datagrams on the loopback, where the user allows them (host.h). The host
 * never waits; the waiting is done here, so that other threads run meanwhile.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine.h"
#include "fd.h"
#include "given.h"
#include "host.h"
#include "result.h"
#include "unsupported.h"

#define FOREVER 1000000000L

static ssize_t read_socket(struct __rz_open_file *file, void *to, size_t n) {
  for (;;) {
    const ssize_t count = __host_read(file->handle, to, n, __HOST_CURRENT);
    if (count > 0) __rz_range_write(to, (size_t)count);
    if (count != -EAGAIN || file->flags & O_NONBLOCK) return __rz_result(count);
    __rz_wait_for_files(FOREVER);
  }
}

static ssize_t write_socket(struct __rz_open_file *file, const void *from, size_t n) {
  return __rz_result(__host_write(file->handle, from, n, __HOST_CURRENT));
}

static void release_socket(struct __rz_open_file *file) { __host_close(file->handle); }

static int socket_ready(struct __rz_open_file *file) {
  const int state = __host_socket(__HOST_SOCKET_READY, file->handle, 0, 0);
  return state < 0 ? POLLERR : state;
}

static const struct __rz_open_file_functions functions = {read_socket, write_socket, S_IFSOCK, release_socket,
                                                          socket_ready};

/* The same functions: the address distinguishes the two kinds. */
static const struct __rz_open_file_functions datagram_functions = {read_socket, write_socket, S_IFSOCK, release_socket,
                                                                   socket_ready};

static int is_datagram(const struct __rz_open_file *file) { return file->functions == &datagram_functions; }

static int install(int handle, int flags, const struct __rz_open_file_functions *kind) {
  struct __rz_open_file *file = __rz_new_open_file(handle, O_RDWR | (flags & SOCK_NONBLOCK ? O_NONBLOCK : 0));
  if (!file) {
    __host_close(handle);
    return -1;
  }
  file->functions = kind;
  return __rz_fd_install(file, 0, (flags & SOCK_CLOEXEC) != 0);
}

int socket(int domain, int type, int protocol) {
  (void)protocol;
  const int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
  const int handle = __host_socket(__HOST_SOCKET_OPEN, -1, 0, kind == SOCK_DGRAM);
  if (handle == -EPERM) UNSUPPORTED("socket", NO_SOCKETS);
  if (handle < 0) return (int)__rz_result(handle);
  if ((kind != SOCK_STREAM && kind != SOCK_DGRAM) || (domain != AF_INET && domain != AF_INET6))
    UNSUPPORTED("socket", ONLY_INTERNET);
  return install(handle, type, kind == SOCK_STREAM ? &functions : &datagram_functions);
}

int socketpair(int domain, int type, int protocol, int pair[2]) {
  (void)domain, (void)type, (void)protocol, (void)pair;
  UNSUPPORTED("socketpair", ONLY_INTERNET);
}

/* The socket, or NULL with errno. */
static struct __rz_open_file *socket_of(int fd) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file || file->functions == &functions || is_datagram(file)) return file;
  errno = ENOTSOCK;
  return NULL;
}

static int on_address(int call, int fd, const struct sockaddr *address, socklen_t length) {
  struct __rz_open_file *file = socket_of(fd);
  if (!file) return -1;
  __rz_range_read(address, length);
  return (int)__rz_result(__host_socket(call, file->handle, (void *)address, length));
}

int bind(int fd, const struct sockaddr *address, socklen_t length) {
  const int result = on_address(__HOST_SOCKET_BIND, fd, address, length);
  if (result < 0 && errno == ENETUNREACH) UNSUPPORTED("bind", NOT_LOOPBACK);
  return result;
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
  const int result = on_address(__HOST_SOCKET_CONNECT, fd, address, length);
  if (result < 0 && errno == ENETUNREACH) UNSUPPORTED("connect", NOT_LOOPBACK);
  return result;
}

int listen(int fd, int backlog) {
  (void)backlog;
  struct __rz_open_file *file = socket_of(fd);
  return file ? (int)__rz_result(__host_socket(__HOST_SOCKET_LISTEN, file->handle, 0, 0)) : -1;
}

/* The address of one end, as much of it as there is room for. */
static int store_address(int call, int handle, struct sockaddr *restrict address, socklen_t *restrict length) {
  struct sockaddr_storage found;
  const int size = __host_socket(call, handle, &found, sizeof found);
  if (size < 0) return (int)__rz_result(size);
  __rz_range_write(&found, (size_t)size);
  memcpy(address, &found, *length < (socklen_t)size ? *length : (socklen_t)size);
  *length = (socklen_t)size;
  return 0;
}

int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
  struct __rz_open_file *file = socket_of(fd);
  if (!file) return -1;
  int handle;
  while ((handle = __host_socket(__HOST_SOCKET_ACCEPT, file->handle, 0, 0)) == -EAGAIN && !(file->flags & O_NONBLOCK))
    __rz_wait_for_files(FOREVER);
  if (handle < 0) return (int)__rz_result(handle);
  if (address) store_address(__HOST_SOCKET_PEER, handle, address, length);
  return install(handle, flags, &functions);
}

int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict length) {
  return accept4(fd, address, length, 0);
}

int getsockname(int fd, struct sockaddr *restrict address, socklen_t *restrict length) {
  struct __rz_open_file *file = socket_of(fd);
  return file ? store_address(__HOST_SOCKET_NAME, file->handle, address, length) : -1;
}

int getpeername(int fd, struct sockaddr *restrict address, socklen_t *restrict length) {
  struct __rz_open_file *file = socket_of(fd);
  return file ? store_address(__HOST_SOCKET_PEER, file->handle, address, length) : -1;
}

/* What an option of the system would change cannot be seen on the loopback. */
int getsockopt(int fd, int level, int name, void *restrict value, socklen_t *restrict length) {
  struct __rz_open_file *file = socket_of(fd);
  if (!file) return -1;
  const int type = is_datagram(file) ? SOCK_DGRAM : SOCK_STREAM;
  int answer = level == SOL_SOCKET && name == SO_TYPE ? type : 0;
  if (*length > sizeof answer) *length = sizeof answer;
  memcpy(value, &answer, *length);
  return 0;
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t length) {
  if (!socket_of(fd)) return -1;
  if (value) __rz_given_object(value, length);
  const int times = level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO);
  return times ? __rz_error(ENOPROTOOPT) : 0;
}

ssize_t send(int fd, const void *data, size_t size, int flags) {
  struct __rz_open_file *file = socket_of(fd);
  if (!file) return -1;
  __rz_range_output(data, size);
  const ssize_t count = write_socket(file, data, size);
  return flags & MSG_NOSIGNAL ? count : __rz_write_result(count);
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *address, socklen_t length) {
  struct __rz_open_file *file = socket_of(fd);
  if (!file) return -1;
  /* A stream has its peer. */
  if (!address || !is_datagram(file)) return send(fd, data, size, flags);
  __rz_range_output(data, size);
  if (on_address(__HOST_SOCKET_TO, fd, address, length) < 0) {
    if (errno == ENETUNREACH) UNSUPPORTED("sendto", NOT_LOOPBACK);
    return -1;
  }
  return write_socket(file, data, size);
}

/* The pieces of a message are one datagram. Copies between them and `whole`. */
static void copy_pieces(const struct msghdr *message, char *whole, size_t size, int to_pieces) {
  for (size_t i = 0, n; i < (size_t)message->msg_iovlen && size > 0; i++, whole += n, size -= n) {
    void *piece = message->msg_iov[i].iov_base;
    n = message->msg_iov[i].iov_len < size ? message->msg_iov[i].iov_len : size;
    memcpy(to_pieces ? piece : whole, to_pieces ? whole : piece, n);
  }
}

static size_t size_of_pieces(const struct msghdr *message) {
  size_t size = 0;
  for (size_t i = 0; i < (size_t)message->msg_iovlen; i++) size += message->msg_iov[i].iov_len;
  return size;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  struct __rz_open_file *file = socket_of(fd);
  if (!file) return -1;
  if (!is_datagram(file)) return writev(fd, message->msg_iov, (int)message->msg_iovlen);
  const size_t size = size_of_pieces(message);
  char *whole = malloc(size + 1);
  if (!whole) return -1;
  copy_pieces(message, whole, size, 0);
  const ssize_t count = sendto(fd, whole, size, flags, message->msg_name, message->msg_namelen);
  free(whole);
  return count;
}

ssize_t recv(int fd, void *data, size_t size, int flags) {
  struct __rz_open_file *file = socket_of(fd);
  if (!file) return -1;
  if (flags & (MSG_PEEK | MSG_OOB)) UNSUPPORTED("recv", "MSG_PEEK and MSG_OOB are not known");
  const int kept = file->flags;
  if (flags & MSG_DONTWAIT) file->flags |= O_NONBLOCK;
  size_t done = 0;
  ssize_t count;
  do {
    count = read_socket(file, (char *)data + done, size - done);
    if (count > 0) done += (size_t)count;
  } while (flags & MSG_WAITALL && !is_datagram(file) && count > 0 && done < size);
  file->flags = kept;
  return done > 0 ? (ssize_t)done : count;
}

ssize_t recvfrom(int fd, void *restrict data, size_t size, int flags, struct sockaddr *restrict address,
                 socklen_t *restrict length) {
  struct __rz_open_file *file = socket_of(fd);
  if (!file) return -1;
  if (address && !is_datagram(file) && getpeername(fd, address, length) < 0) return -1;
  const ssize_t count = recv(fd, data, size, flags);
  if (count >= 0 && address && is_datagram(file)) store_address(__HOST_SOCKET_FROM, file->handle, address, length);
  return count;
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  struct __rz_open_file *file = socket_of(fd);
  if (!file) return -1;
  message->msg_flags = 0, message->msg_controllen = 0;
  if (!is_datagram(file)) return readv(fd, message->msg_iov, (int)message->msg_iovlen);
  const size_t size = size_of_pieces(message);
  char *whole = malloc(size + 1);
  if (!whole) return -1;
  const ssize_t count = recvfrom(fd, whole, size, flags, message->msg_name, &message->msg_namelen);
  if (count > 0) copy_pieces(message, whole, (size_t)count, 1);
  free(whole);
  return count;
}

int shutdown(int fd, int how) {
  struct __rz_open_file *file = socket_of(fd);
  if (!file) return -1;
  if (how == SHUT_RD) return 0;
  return (int)__rz_result(__host_socket(__HOST_SOCKET_SHUTDOWN, file->handle, 0, 0));
}

int sockatmark(int fd) { return socket_of(fd) ? 0 : -1; }

struct cmsghdr *__rz_next_control(struct msghdr *header, struct cmsghdr *message) {
  char *end = (char *)header->msg_control + header->msg_controllen;
  char *next = (char *)message + CMSG_ALIGN(message->cmsg_len);
  const int fits = message->cmsg_len >= sizeof *message && (size_t)(end - (char *)message) >= CMSG_ALIGN(message->cmsg_len) &&
                   (size_t)(end - next) >= sizeof *message;
  return fits ? (struct cmsghdr *)(void *)next : 0;
}
