#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int remove(const char *path) {
  if (unlink(path) == 0) return 0;
  return errno == EISDIR ? rmdir(path) : -1;
}
