/* <arpa/inet.h> <netdb.h> <sys/wait.h> <poll.h> <sys/select.h> <iconv.h>: what works without a network or a child. */
#include <arpa/inet.h>
#include <errno.h>
#include <iconv.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

static void addresses(void) {
  printf("%x %x %x %x\n", htonl(0x12345678), htons(0x1234), ntohl(0x78563412), ntohs(0x3412));
  const char *texts[] = {"127.0.0.1", "127.1", "0x7f.1", "256.1.1.1", "1.2.3", "1.2.3.4.5", "", "a", "010.8.9.1", "4294967295", "1.2.3.4 x", "1.2.3.4x"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct in_addr address = {0};
    const int ok = inet_aton(texts[i], &address);
    printf("%d %s %x %d|", ok, inet_ntoa(address), inet_addr(texts[i]), inet_pton(AF_INET, texts[i], &address));
  }
  printf("\n");
  const char *v6[] = {"::", "::1", "1::", "fe80::1:2", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::ffff:1.2.3.4", "::1.2.3.4", "1::2::3", ":1", "1:", "12345::",
                      "1:2:3:4:5:6:7", "2001:db8:0:0:1:0:0:1", "g::", "1:2:3:4:5:6:1.2.3.4", "::1.2.3", "0:0:0:0:0:0:0:0", "1:0:0:2::3:0"};
  for (size_t i = 0; i < sizeof v6 / sizeof *v6; i++) {
    unsigned char bytes[16];
    char text[INET6_ADDRSTRLEN];
    const int ok = inet_pton(AF_INET6, v6[i], bytes);
    printf("%d %s|", ok, ok == 1 ? inet_ntop(AF_INET6, bytes, text, sizeof text) : "-");
  }
  char small[4];
  errno = 0;
  printf("\n%d ", inet_ntop(AF_INET, "\x7f\0\0\1", small, sizeof small) == NULL);
  printf("%d ", errno == ENOSPC);
  printf("%d\n", inet_pton(99, "x", small));
  printf("%s|%s|%s\n", gai_strerror(EAI_NONAME), gai_strerror(EAI_FAMILY), gai_strerror(EAI_AGAIN));
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *list;
  printf("%d ", getaddrinfo("10.0.0.1", "80", &hints, &list));
  const struct sockaddr_in *address = (struct sockaddr_in *)list->ai_addr;
  printf("%s %d %d\n", inet_ntoa(address->sin_addr), ntohs(address->sin_port), list->ai_family == AF_INET);
  char host[40], service[10];
  getnameinfo(list->ai_addr, list->ai_addrlen, host, sizeof host, service, sizeof service, NI_NUMERICHOST | NI_NUMERICSERV);
  printf("%s %s\n", host, service);
  freeaddrinfo(list);
  printf("%zu %zu %zu\n", sizeof(struct sockaddr_in), sizeof(struct sockaddr_in6), sizeof(struct sockaddr_un));
}

static void waiting(void) {
  int status;
  errno = 0;
  printf("%d ", (int)wait(&status));
  printf("%d ", errno == ECHILD);
  printf("%d\n", (int)waitpid(-1, &status, WNOHANG));
  const int statuses[] = {0, 0x100, 0x0b, 0x8b, 0x137f, 0xffff};
  for (int i = 0; i < 6; i++) {
    const int s = statuses[i];
    printf("%d%d%d %d %d|", WIFEXITED(s), WIFSIGNALED(s), WIFSTOPPED(s), WEXITSTATUS(s), WTERMSIG(s));
  }
  printf("\n");
}

static void readiness(void) {
  FILE *f = fopen("ready.txt", "w+");
  fputs("x", f);
  fflush(f);
  struct pollfd fds[3] = {{fileno(f), POLLIN | POLLOUT, 0}, {-1, POLLIN, 0}, {999, POLLIN, 0}};
  printf("%d ", poll(fds, 3, 0));
  printf("%d %d %d\n", fds[0].revents == (POLLIN | POLLOUT), fds[1].revents, fds[2].revents == POLLNVAL);
  fd_set readable, writable;
  FD_ZERO(&readable);
  FD_ZERO(&writable);
  FD_SET(fileno(f), &readable);
  FD_SET(fileno(f), &writable);
  struct timeval now = {0, 0};
  printf("%d ", select(fileno(f) + 1, &readable, &writable, NULL, &now));
  printf("%d %d\n", FD_ISSET(fileno(f), &readable) != 0, FD_ISSET(0, &readable) != 0);
  FD_CLR(fileno(f), &readable);
  printf("%d\n", FD_ISSET(fileno(f), &readable) != 0);
  fclose(f);
  remove("ready.txt");
}

static void convert(const char *to, const char *from, const char *bytes, size_t length, size_t room) {
  iconv_t c = iconv_open(to, from);
  char out[64], *in = (char *)bytes, *at = out;
  size_t left = length, space = room;
  errno = 0;
  const size_t result = iconv(c, &in, &left, &at, &space);
  const int error = errno;
  printf("%s %s %d left %zu %s:", to, from, (int)result, left, error == 0 ? "ok" : error == EILSEQ ? "EILSEQ" : error == EINVAL ? "EINVAL" : "E2BIG");
  for (char *p = out; p < at; p++) printf(" %02x", (unsigned char)*p);
  printf("\n");
  iconv_close(c);
}

static void conversions(void) {
  convert("UTF-16LE", "UTF-8", "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 10, 64);
  convert("UTF-16BE", "UTF-8", "a\xc3\xa9\xf0\x9f\x98\x80", 7, 64);
  convert("UTF-32LE", "UTF-8", "\xf0\x9f\x98\x80", 4, 64);
  convert("UTF-32BE", "ISO-8859-1", "\xe9", 1, 64);
  convert("UTF-8", "ISO-8859-1", "caf\xe9", 4, 64);
  convert("ISO-8859-1", "UTF-8", "caf\xc3\xa9", 5, 64);
  convert("ISO-8859-1", "UTF-8", "a\xe2\x82\xac", 4, 64);
  convert("ASCII", "UTF-8", "abc\xc3\xa9", 5, 64);
  convert("UTF-8", "UTF-16LE", "a\0\x3d\xd8\0\xde", 6, 64);
  convert("UTF-8", "UTF-16LE", "\0\xdc", 2, 64);
  convert("UTF-8", "UTF-8", "ok\xff", 3, 64);
  convert("UTF-16LE", "UTF-8", "ab\xe2\x82", 4, 64);
  convert("UTF-16LE", "UTF-8", "abcd", 4, 5);
  convert("UTF-8", "UTF-32BE", "\0\1\xf6\0", 4, 64);
  convert("UTF-16", "ASCII", "a", 1, 64);
  convert("UTF-8", "UTF-16", "\xff\xfe\x61\0", 4, 64);
  convert("UTF-8", "UTF-16", "\xfe\xff\0\x61", 4, 64);
  convert("UTF-8", "ASCII", "\x80", 1, 64);
  printf("%d\n", iconv_open("UTF-8", "no-such-charset") == (iconv_t)-1);
}

int main(void) {
  addresses();
  waiting();
  readiness();
  conversions();
  return 0;
}
