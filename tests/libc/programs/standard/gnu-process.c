/* Identities, limits, descriptors and masks of signals: GNU and BSD. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile sig_atomic_t delivered;
static void handle(int signal) { delivered = signal; }

int main(void) {
  uid_t users[3] = {1, 2, 3};
  gid_t groups[3] = {1, 2, 3};
  printf("%d", getresuid(users, users + 1, users + 2));
  printf(" %d", users[0] == getuid() && users[1] == geteuid());
  printf(" %d", getresgid(groups, groups + 1, groups + 2));
  printf(" %d", groups[0] == getgid() && groups[1] == getegid());
  printf(" %d %d\n", setresuid(users[0], users[1], users[2]), setresgid(groups[0], -1, -1));

  struct rlimit limit, same;
  printf("%d", prlimit(0, RLIMIT_NOFILE, NULL, &limit));
  getrlimit(RLIMIT_NOFILE, &same);
  printf(" %d", same.rlim_cur == limit.rlim_cur);
  printf(" %d %d\n", prlimit(0, RLIMIT_NOFILE, &limit, NULL), prlimit(0, 99, NULL, &limit) == -1 && errno == EINVAL);

  signal(SIGUSR1, handle);
  printf("%d", siggetmask());
  printf(" %d", sigblock(sigmask(SIGUSR1)) == 0);
  raise(SIGUSR1);
  printf(" %d", (int)delivered);
  printf(" %d", sigsetmask(0) == sigmask(SIGUSR1));
  printf(" %d\n", delivered == SIGUSR1);

  int first = dup(1), second = dup(1);
  printf("%d", close_range(second, second, 0));
  printf(" %d %d", fcntl(first, F_GETFD) >= 0, fcntl(second, F_GETFD));
  closefrom(3);
  printf(" %d %d\n", fcntl(first, F_GETFD), close_range(5, 4, 0) == -1 && errno == EINVAL);

  char text[] = "frob";
  printf("%d %s\n", strcmp(text, memfrob(memfrob(text, 4), 4)), text);
  return 0;
}
