/* Ways of a value through files, pipes and text, and back: all its values come back, so the assertion after each fails for one of them. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef FIXED
#define WANTED(back) assert(!memcmp(&(back), &v, sizeof v))
#else
#define WANTED(back) assert(memcmp(&(back), "\7\0\0\0", 4))
#endif

static int v, back;

static void descriptors(void) {
  int fd = open("f", O_CREAT | O_RDWR | O_TRUNC, 0600);
  assert(write(fd, &v, sizeof v) == 4 && lseek(fd, 0, SEEK_SET) == 0);
  assert(read(fd, &back, sizeof back) == 4 && read(fd, &back, 1) == 0);
  close(fd);
  WANTED(back);
}

static void places(void) {
  char text[8];
  int fd = open("f", O_CREAT | O_RDWR, 0600);
  assert(pwrite(fd, "--------", 8, 0) == 8 && pwrite(fd, &v, 4, 2) == 4);
  assert(pread(fd, text, 8, 0) == 8 && text[1] == '-' && text[6] == '-');
  memcpy(&back, text + 2, 4);
  close(fd);
  WANTED(back);
}

static void appended(void) {
  int fd = open("f", O_CREAT | O_WRONLY | O_APPEND, 0600);
  assert(write(fd, "ab", 2) == 2 && lseek(fd, 0, SEEK_SET) == 0 && write(fd, &v, 4) == 4);
  close(fd);
  fd = open("f", O_RDONLY);
  assert(lseek(fd, 2, SEEK_SET) == 2 && read(fd, &back, 4) == 4 && read(fd, &back, 0) == 0);
  assert(write(fd, "x", 1) == -1 && errno == EBADF);
  close(fd);
  WANTED(back);
}

static void overwritten(void) {
  int fd = open("f", O_CREAT | O_RDWR, 0600), other = 7;
  assert(write(fd, &v, 4) == 4 && pwrite(fd, &other, 4, 0) == 4 && pread(fd, &back, 4, 0) == 4);
  assert(back == 7 && !klee_is_symbolic(back));
  assert(ftruncate(fd, 2) == 0 && ftruncate(fd, 4) == 0 && pread(fd, &back, 4, 0) == 4 && back == 7);
  assert(pwrite(fd, &v, 4, 0) == 4 && ftruncate(fd, 0) == 0 && ftruncate(fd, 4) == 0 && pread(fd, &back, 4, 0) == 4 && back == 0);
  assert(pwrite(fd, &v, 4, 0) == 4 && pread(fd, &back, 4, 0) == 4);
  close(fd);
  WANTED(back);
}

static void stream(const char *mode, const char *reading) {
  if (mode[0] == 'r') fclose(fopen("f", "w"));
  FILE *f = fopen("f", mode);
  assert(f && fwrite(&v, sizeof v, 1, f) == 1);
  if (reading) {
    fclose(f);
    f = fopen("f", reading);
  } else rewind(f);
  assert(fread(&back, sizeof back, 1, f) == 1);
  fclose(f);
  WANTED(back);
}

static void characters(void) {
  char *bytes = (char *)&v, *result = (char *)&back;
  FILE *f = fopen("f", "w+");
  for (int i = 0; i < 4; i++) assert(putc(bytes[i], f) == (unsigned char)bytes[i]);
  rewind(f);
  for (int i = 0; i < 4; i++) result[i] = (char)getc(f);
  fclose(f);
  WANTED(back);
}

static void pipes(void) {
  int ends[2];
  assert(pipe(ends) == 0 && write(ends[1], &v, 4) == 4 && read(ends[0], &back, 4) == 4);
  close(ends[0]);
  close(ends[1]);
  WANTED(back);
}

static void mapped(void) {
  int fd = open("f", O_CREAT | O_RDWR, 0600);
  assert(write(fd, &v, 4) == 4);
  int *map = mmap(0, 4, PROT_READ, MAP_PRIVATE, fd, 0);
  assert(map != MAP_FAILED);
  back = *map;
  munmap(map, 4);
  close(fd);
  WANTED(back);
}

static void printed(void) {
  char text[16], *bytes = (char *)&v, *result = (char *)&back;
  sprintf(text, "<%c|%5c>", bytes[0], bytes[1]);
  result[0] = text[1];
  result[1] = text[7];
  char rest[3] = { bytes[2], bytes[3], 0 };
  if (strlen(rest) == 0 && bytes[3] == 0) {
    snprintf(text, sizeof text, "%s.", rest);
    memcpy(result + 2, "\0\0", 2);
    WANTED(back);
  }
}

static void texts(void) {
  char text[5], copy[8] = "";
  memcpy(text, &v, 4);
  text[4] = 0;
  klee_assume((text[0] != 0) & (text[1] != 0) & (text[2] != 0) & (text[3] != 0));
  FILE *f = fopen("f", "w+");
  fprintf(f, "%s%c", text, '!');
  rewind(f);
  assert(fread(copy, 1, 8, f) == 5 && copy[4] == '!');
  fclose(f);
#ifdef FIXED
  assert(!strncmp(copy, text, 4));
#else
  assert(strncmp(copy, "good", 4));
#endif
}

static void redirected(void) {
  fflush(stdout);
  int fd = open("f", O_CREAT | O_RDWR, 0600);
  assert(dup2(fd, 1) == 1);
  fwrite(&v, sizeof v, 1, stdout);
  fflush(stdout);
  assert(pread(fd, &back, 4, 0) == 4);
  close(fd);
  WANTED(back);
}

int main(void) {
  klee_make_symbolic(&v, sizeof v, "v");
  switch (klee_range(0, 14, "way")) {
  case 0: descriptors(); break;
  case 1: places(); break;
  case 2: appended(); break;
  case 3: overwritten(); break;
  case 4: stream("w", "r"); break;
  case 5: stream("w+", 0); break;
  case 6: stream("r+", "rb"); break;
  case 7: stream("a", "r+"); break;
  case 8: characters(); break;
  case 9: pipes(); break;
  case 10: mapped(); break;
  case 11: printed(); break;
  case 12: texts(); break;
  case 13: redirected(); break;
  }
  return 0;
}
