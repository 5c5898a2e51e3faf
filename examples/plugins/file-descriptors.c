#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int make(const char *path, int keep) {
  int file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600); // BUG file-descriptors/never-closed
  if (file < 0) return 1;
  if (keep && write(file, "x", 1) != 1) return 1;
  if (keep) close(file);
  return 0;
}

int main(void) {
  int status = make("kept.tmp", 1) + make("lost.tmp", 0);
  int file = open("kept.tmp", O_RDONLY);
  char text[2] = {0};
  close(file);
  ssize_t n = read(file, text, 1); // BUG file-descriptors/used-after-close
  printf("%zd %s\n", n, text);
  close(file); // BUG file-descriptors/closed-twice
  unlink("kept.tmp");
  unlink("lost.tmp");
  return status;
}
