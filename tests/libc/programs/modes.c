/* What the mode of a descriptor allows, and why opening fails, in the current folder, which is empty. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *error_name(void) {
  switch (errno) {
  case EACCES: return "EACCES";
  case EBADF: return "EBADF";
  case EEXIST: return "EEXIST";
  case EINVAL: return "EINVAL";
  case EISDIR: return "EISDIR";
  case ENOENT: return "ENOENT";
  case ENOTDIR: return "ENOTDIR";
  case ENOTEMPTY: return "ENOTEMPTY";
  case EPERM: return "EPERM";
  case ESPIPE: return "ESPIPE";
  }
  return strerror(errno);
}

static void tell(const char *what, long result) {
  if (result == -1) printf("%-64s %s\n", what, error_name());
  else printf("%-64s %ld\n", what, result);
}

#define TELL(expression) (errno = 0, tell(#expression, (long)(expression)))
/* Numbers of descriptors are not compared. */
#define OPENS(expression) (errno = 0, fd = (expression), tell(#expression, fd < 0 ? -1 : 0), fd < 0 ? 0 : close(fd))

static char text[32];

static long content(const char *path) {
  int fd = open(path, O_RDONLY);
  memset(text, 0, sizeof text);
  long n = read(fd, text, sizeof text - 1);
  for (long i = 0; i < n; i++)
    if (text[i] == 0) text[i] = '.';
  printf("%s: \"%s\"\n", path, text);
  close(fd);
  return n;
}

static void opening(void) {
  int fd;
  OPENS(open("missing", O_RDONLY));
  OPENS(open("missing", O_WRONLY));
  OPENS(open("missing", O_RDWR | O_TRUNC));
  OPENS(open("missing/file", O_WRONLY | O_CREAT, 0644));
  OPENS(open("", O_RDONLY));
  OPENS(open("", O_WRONLY | O_CREAT, 0644));
  OPENS(open("file", O_WRONLY | O_CREAT | O_EXCL, 0644));
  OPENS(open("file", O_WRONLY | O_CREAT | O_EXCL, 0644));
  OPENS(open("file", O_RDONLY | O_CREAT | O_EXCL, 0644));
  OPENS(open("file", O_RDONLY | O_CREAT, 0644));
  OPENS(open("file", O_RDONLY | O_DIRECTORY));
  OPENS(open("file/below", O_RDONLY));
  OPENS(open("file/below", O_WRONLY | O_CREAT, 0644));
  TELL(mkdir("folder", 0755));
  TELL(mkdir("folder", 0755));
  TELL(mkdir("file", 0755));
  OPENS(open("folder", O_WRONLY));
  OPENS(open("folder", O_RDWR));
  OPENS(open("folder", O_RDONLY | O_CREAT, 0644));
  OPENS(open("folder", O_WRONLY | O_CREAT | O_EXCL, 0644));
  OPENS(open("folder", O_RDONLY | O_DIRECTORY));
  OPENS(open("folder/missing", O_RDONLY));
  OPENS(open("folder/file", O_WRONLY | O_CREAT, 0644));
  TELL(rmdir("folder"));
  TELL(rmdir("file"));
  TELL(rmdir("missing"));
  TELL(unlink("missing"));
  TELL(unlink("folder/file"));
  TELL(rmdir("folder"));
  fd = open(".", O_RDONLY);
  TELL(read(fd, text, 1));
  TELL(write(fd, "x", 1));
  close(fd);
}

static void modes(void) {
  struct stat status;
  int out = open("file", O_WRONLY | O_TRUNC);
  TELL(write(out, "0123456789", 10));
  TELL(read(out, text, 1));
  TELL(pread(out, text, 1, 0));
  TELL(lseek(out, 0, SEEK_CUR));
  int in = open("file", O_RDONLY);
  TELL(write(in, "x", 1));
  TELL(pwrite(in, "x", 1, 0));
  TELL(ftruncate(in, 3));
  TELL(read(in, text, 4));
  TELL(write(in, "x", 0));
  TELL(read(out, text, 0));
  close(in), close(out);
  TELL(read(in, text, 1));
  TELL(write(out, "x", 1));
  TELL(close(out));
  TELL(lseek(out, 0, SEEK_SET));
  TELL(fstat(out, &status));
  TELL(read(-1, text, 1));
  TELL(write(-1, "x", 1));
  TELL(content("file"));
}

static void places(void) {
  struct stat status;
  int fd = open("file", O_RDWR);
  TELL(lseek(fd, -1, SEEK_SET));
  TELL(lseek(fd, -11, SEEK_END));
  TELL(lseek(fd, 0, 99));
  TELL(lseek(fd, 4, SEEK_END));
  TELL(read(fd, text, 1));
  TELL((fstat(fd, &status), status.st_size));
  TELL(write(fd, "x", 1));
  TELL((fstat(fd, &status), status.st_size));
  TELL(content("file"));
  TELL(lseek(fd, -2, SEEK_CUR));
  TELL(pread(fd, text, 4, -1));
  TELL(pread(fd, text, 4, 100));
  TELL(ftruncate(fd, -1));
  TELL(ftruncate(fd, 2));
  TELL(lseek(fd, 0, SEEK_CUR));
  TELL(write(fd, "y", 1));
  TELL(content("file"));
  close(fd);
  int ends[2];
  TELL(pipe(ends));
  TELL(lseek(ends[0], 0, SEEK_SET));
  TELL(write(ends[0], "x", 1));
  TELL(read(ends[1], text, 1));
  TELL(pread(ends[0], text, 1, 0));
  close(ends[0]), close(ends[1]);
}

static void appended(void) {
  int fd = open("file", O_WRONLY | O_TRUNC);
  TELL(write(fd, "abc", 3));
  close(fd);
  fd = open("file", O_RDWR | O_APPEND);
  TELL(lseek(fd, 0, SEEK_CUR));
  TELL(read(fd, text, 2));
  TELL(write(fd, "d", 1));
  TELL(lseek(fd, 0, SEEK_CUR));
  TELL(lseek(fd, 1, SEEK_SET));
  TELL(write(fd, "e", 1));
  TELL(lseek(fd, 9, SEEK_SET));
  TELL(write(fd, "f", 1));
  TELL(content("file"));
  int out = open("file", O_WRONLY | O_APPEND);
  TELL(write(out, "g", 1));
  TELL(read(out, text, 1));
  TELL(write(fd, "h", 1));
  close(out), close(fd);
  TELL(content("file"));
}

static void streams(void) {
  FILE *file = fopen("missing", "r");
  TELL(fopen("missing", "r") ? 0 : -1);
  TELL(fopen("missing", "r+") ? 0 : -1);
  TELL(fopen(".", "w") ? 0 : -1);
  TELL(fopen("file", "wx") ? 0 : -1);
  TELL(fopen("file", "?") ? 0 : -1);
  file = fopen("file", "r");
  TELL(fputc('x', file));
  TELL(ferror(file) != 0);
  fclose(file);
  file = fopen("file", "a+");
  TELL(fgetc(file));
  rewind(file);
  TELL(fputc('i', file));
  fclose(file);
  file = fopen("file", "a");
  TELL(fgetc(file));
  TELL(ferror(file) != 0);
  fclose(file);
  TELL(content("file"));
}

int main(void) {
  opening();
  modes();
  places();
  appended();
  streams();
  return 0;
}
