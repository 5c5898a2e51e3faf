/* Which open files are ready, and waiting for those that are not: sockets. */
#include <poll.h>

#include "fd.h"
#include "host.h"
#include "thread-state.h"

#define MILLISECOND 1000000L

long (*__rz_until_timer)(void);

int __rz_file_ready(struct __rz_open_file *file) {
  return file->functions && file->functions->ready ? file->functions->ready(file) : POLLIN | POLLOUT;
}

long __rz_wait_for_files(long nanoseconds) {
  /* Other threads of the program may be who is waited for: they run in between. */
  long longest = (__rz_has_threads ? 1 : 1000) * MILLISECOND;
  if (__rz_until_timer && __rz_until_timer() < longest) longest = __rz_until_timer();
  if (nanoseconds > longest) nanoseconds = longest;
  __rz_yield();
  __host_socket(__HOST_SOCKET_WAIT, -1, 0, (size_t)((nanoseconds + MILLISECOND - 1) / MILLISECOND));
  return nanoseconds;
}
