#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int make(const char *path, int keep) {
  int file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
  if (file < 0) return 1;
  if (keep && write(file, "x", 1) != 1) return 1;
  close(file);
  return 0;
}

int main(void) {
  int status = make("kept.tmp", 1) + make("lost.tmp", 0);
  int file = open("kept.tmp", O_RDONLY);
  char text[2] = {0};
  ssize_t n = read(file, text, 1);
  printf("%zd %s\n", n, text);
  close(file);
  unlink("kept.tmp");
  unlink("lost.tmp");
  return status;
}
