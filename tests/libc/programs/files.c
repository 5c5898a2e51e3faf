/* Descriptors, folders, names and mappings, in the current folder. */
#define _GNU_SOURCE
#include <ar.h>
#include <cpio.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <limits.h>
#include <nl_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <tar.h>
#include <termios.h>
#include <unistd.h>
#include <utime.h>

#define CHECK(expression) printf("%-48.48s = %ld\n", #expression, (long)(expression))
#define FAILS(expression, number) CHECK((errno = 0, (expression) == -1 && errno == (number)))

static void descriptors(void) {
  char buffer[32] = "";
  struct stat stat;
  int fd = open("d", O_RDWR | O_CREAT | O_TRUNC, 0644);
  CHECK(write(fd, "0123456789", 10));
  CHECK(lseek(fd, 0, SEEK_CUR));
  CHECK(pread(fd, buffer, 3, 4));
  puts(buffer);
  CHECK(pwrite(fd, "ab", 2, 8));
  CHECK(lseek(fd, -4, SEEK_END));
  CHECK(read(fd, buffer, 30));
  CHECK(read(fd, buffer, 30));
  CHECK(ftruncate(fd, 5));
  CHECK(fstat(fd, &stat));
  CHECK(stat.st_size);
  CHECK(S_ISREG(stat.st_mode));
  CHECK(stat.st_mode & 0777);
  int copy = dup(fd);
  CHECK(lseek(fd, 2, SEEK_SET));
  CHECK(read(copy, buffer, 1));
  CHECK(lseek(fd, 0, SEEK_CUR));
  CHECK(dup2(fd, 20));
  close(fd);
  CHECK(read(20, buffer, 1));
  FAILS(read(fd, buffer, 1), EBADF);
  CHECK(fcntl(copy, F_GETFL) & O_ACCMODE);
  CHECK(fcntl(copy, F_SETFL, O_APPEND));
  lseek(copy, 0, SEEK_SET);
  CHECK(write(copy, "!", 1));
  CHECK(lseek(copy, 0, SEEK_CUR));
  CHECK(fcntl(copy, F_SETFD, FD_CLOEXEC));
  CHECK(fcntl(copy, F_GETFD));
  CHECK(fcntl(copy, F_DUPFD, 30));
  struct flock lock = {.l_type = F_WRLCK};
  CHECK(fcntl(copy, F_SETLK, &lock));
  CHECK(flock(copy, LOCK_EX | LOCK_NB));
  CHECK(fsync(copy));
  struct iovec pieces[2] = {{"one", 3}, {"two", 3}};
  CHECK(writev(copy, pieces, 2));
  CHECK(posix_fallocate(copy, 0, 40));
  CHECK(lseek(copy, 0, SEEK_END));
  close(copy);
  close(20);
  close(30);
  FAILS(open("missing", O_RDONLY), ENOENT);
  FAILS(open("d", O_CREAT | O_EXCL | O_RDWR, 0600), EEXIST);
  FAILS(open("d/x", O_RDONLY), ENOTDIR);
  FAILS(lseek(0x7fff, 0, SEEK_SET), EBADF);
  CHECK(access("d", R_OK | W_OK));
  FAILS(access("missing", F_OK), ENOENT);
  CHECK(truncate("d", 3));
}

static void pipes(void) {
  int ends[2];
  char buffer[16] = "";
  struct stat stat;
  CHECK(pipe(ends));
  CHECK(write(ends[1], "through", 7));
  CHECK(read(ends[0], buffer, 4));
  CHECK(read(ends[0], buffer, 9));
  CHECK(fstat(ends[0], &stat) == 0 && S_ISFIFO(stat.st_mode));
  FAILS(lseek(ends[0], 0, SEEK_SET), ESPIPE);
  close(ends[1]);
  CHECK(read(ends[0], buffer, 9));
  close(ends[0]);
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

/* In whatever order: how many of each type, and where. */
static int seen[7], levels, bases;

static int count_file(const char *path, const struct stat *status, int type, struct FTW *place) {
  seen[type]++, levels += place->level, bases += place->base;
  return type == FTW_F && status->st_size > 0 ? (int)strlen(path) : 0;
}

static int stop_at_folder(const char *path, const struct stat *status, int type) {
  return strcmp(path, "f/g") == 0 && S_ISDIR(status->st_mode) ? 40 + type : 0;
}

static int by_entry(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

static void show(const FTSENT *entry) {
  printf("%d %d %s %s %d %d\n", entry->fts_info, entry->fts_level, entry->fts_name, entry->fts_path,
         entry->fts_pathlen, entry->fts_info == FTS_DC && entry->fts_cycle == entry->fts_parent);
}

/* `f` has files and folders, links to itself and to the folder above, and one to nothing. */
static void trees(void) {
  CHECK(symlink(".", "f/z"));
  char *roots[] = {"f", "nowhere", NULL};
  FTS *walk = fts_open(roots, FTS_PHYSICAL, by_entry);
  for (FTSENT *entry = fts_children(walk, 0); entry; entry = entry->fts_link) printf("root %s\n", entry->fts_name);
  for (FTSENT *entry; (entry = fts_read(walk));) {
    show(entry);
    if (entry->fts_info == FTS_SL && strcmp(entry->fts_name, "up") != 0 && !entry->fts_number++) CHECK(fts_set(walk, entry, FTS_FOLLOW));
    if (entry->fts_info == FTS_D && entry->fts_level == 0)
      for (FTSENT *each = fts_children(walk, 0); each; each = each->fts_link) {
        printf("member %s %d\n", each->fts_name, each->fts_info);
        if (strcmp(each->fts_name, "a") == 0) CHECK(fts_set(walk, each, FTS_SKIP));
      }
  }
  CHECK(errno);
  CHECK(fts_close(walk));
  walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR | FTS_SEEDOT, by_entry);
  for (FTSENT *entry; (entry = fts_read(walk));) {
    show(entry);
    if (strcmp(entry->fts_name, "up") == 0 && entry->fts_info == FTS_D) CHECK(fts_set(walk, entry, FTS_SKIP));
    CHECK(fts_set(walk, entry, 7) == 1 && errno == EINVAL);
  }
  CHECK(fts_close(walk));
  walk = fts_open(roots, FTS_PHYSICAL | FTS_NOSTAT | FTS_NOCHDIR, by_entry);
  for (int i = 0; i < 4; i++) show(fts_read(walk));
  CHECK(fts_close(walk));
  CHECK(fts_open((char *[]){"", NULL}, FTS_PHYSICAL, NULL) == NULL && errno == ENOENT);
  CHECK(unlink("f/z"));
}

static void walks(void) {
  CHECK(symlink("nowhere", "f/h"));
  CHECK(symlink("..", "f/up"));
  trees();
  CHECK(nftw("f", count_file, 5, FTW_PHYS | FTW_DEPTH));
  printf("%d %d %d %d %d %d %d\n", seen[FTW_F], seen[FTW_D], seen[FTW_DP], seen[FTW_SL], seen[FTW_SLN], levels, bases);
  CHECK(unlink("f/up"));
  CHECK(nftw("f", count_file, 5, 0));
  printf("%d %d %d %d %d %d %d\n", seen[FTW_F], seen[FTW_D], seen[FTW_DP], seen[FTW_SL], seen[FTW_SLN], levels, bases);
  CHECK(unlink("f/h"));
  CHECK(ftw("./f/../f/g", stop_at_folder, 1));
  CHECK(ftw("f", stop_at_folder, 1));
  FAILS(ftw("nowhere", stop_at_folder, 1), ENOENT);
  CHECK(catopen("nothing", NL_CAT_LOCALE) == (nl_catd)-1);
  printf("%s %s%zu %d %o\n", TMAGIC, ARMAG, sizeof(struct ar_hdr), DIRTYPE, C_ISREG);
}

static void folders(void) {
  char path[PATH_MAX];
  CHECK(mkdir("f", 0755));
  FAILS(mkdir("f", 0755), EEXIST);
  CHECK(mkdir("f/g", 0755));
  close(open("f/b", O_CREAT | O_WRONLY, 0600));
  close(open("f/a", O_CREAT | O_WRONLY, 0600));
  FAILS(rmdir("f"), ENOTEMPTY);
  struct dirent **list;
  int n = scandir("f", &list, NULL, by_name);
  for (int i = 0; i < n; i++) {
    printf("%s %d\n", list[i]->d_name, list[i]->d_type);
    free(list[i]);
  }
  free(list);
  DIR *folder = opendir("f");
  int count = 0;
  while (readdir(folder)) count++;
  rewinddir(folder);
  while (readdir(folder)) count++;
  CHECK(count);
  int fd = openat(dirfd(folder), "a", O_RDONLY);
  CHECK(fd >= 0);
  close(fd);
  CHECK(fchdir(dirfd(folder)));
  closedir(folder);
  CHECK(getcwd(path, sizeof path) == path && strcmp(strrchr(path, '/'), "/f") == 0);
  CHECK(chdir(".."));
  CHECK(getcwd(path, 2) == NULL && errno == ERANGE);
  CHECK(opendir("d") == NULL && errno == ENOTDIR);
  walks();
  CHECK(rename("f/a", "f/c"));
  CHECK(unlink("f/c"));
  FAILS(unlink("f/c"), ENOENT);
  CHECK(remove("f/b"));
  CHECK(remove("f/g"));
  CHECK(rmdir("f"));
  char pattern[] = "dir-XXXXXX";
  CHECK(mkdtemp(pattern) == pattern);
  CHECK(rmdir(pattern));
}

/* Names that programs use without asking whether they exist. */
static void constants(void) {
  struct timeval value = {3, 4};
  struct timespec precise;
  TIMEVAL_TO_TIMESPEC(&value, &precise);
  printf("%x %x %x %x %x", IN_UNMOUNT, IN_Q_OVERFLOW, IN_IGNORED, IN_ISDIR, IN_ONESHOT);
  printf(" %o %o %o %o %o", B300, B4800, B921600, (unsigned)CRTSCTS, IUTF8);
  printf(" %x %d %d %d", MSG_MORE, AF_NETLINK, AF_PACKET, MFD_CLOEXEC);
  printf(" %d %d %d %d %d", MADV_DONTDUMP, MAP_EXECUTABLE, RLIMIT_RTTIME, PRIO_MIN, PRIO_MAX);
  printf(" %s %ld %ld\n", strndupa("abcdef", 3), precise.tv_nsec, (long)TEMP_FAILURE_RETRY(lseek(-1, 0, 0)) + errno);
}

static void links(void) {
  char text[64] = "";
  struct stat a, b;
  CHECK(symlink("d", "s"));
  CHECK(readlink("s", text, sizeof text));
  puts(text);
  CHECK(lstat("s", &a) == 0 && S_ISLNK(a.st_mode));
  CHECK(stat("s", &a) == 0 && S_ISREG(a.st_mode));
  CHECK(link("d", "h"));
  stat("d", &a);
  stat("h", &b);
  CHECK(a.st_ino == b.st_ino);
  CHECK(a.st_nlink);
  char *resolved = realpath("./s", NULL);
  CHECK(resolved && strcmp(strrchr(resolved, '/'), "/d") == 0);
  free(resolved);
  CHECK(realpath("missing", NULL) == NULL && errno == ENOENT);
  FAILS(open("s", O_RDONLY | O_NOFOLLOW), ELOOP);
  CHECK(unlink("s"));
  CHECK(unlink("h"));
  symlink("loop2", "loop1");
  symlink("loop1", "loop2");
  FAILS(open("loop1", O_RDONLY), ELOOP);
  unlink("loop1");
  unlink("loop2");
}

static void times(void) {
  struct stat stat_of_d;
  struct utimbuf old = {1000000, 2000000};
  CHECK(utime("d", &old));
  stat("d", &stat_of_d);
  CHECK(stat_of_d.st_atime);
  CHECK(stat_of_d.st_mtime);
  struct timeval now;
  CHECK(gettimeofday(&now, NULL) == 0 && now.tv_sec > 900000000);
  CHECK(chmod("d", 0600));
  stat("d", &stat_of_d);
  CHECK(stat_of_d.st_mode & 0777);
  int fd = open("d", O_RDWR);
  CHECK(fchmod(fd, 0640));
  stat("d", &stat_of_d);
  CHECK(stat_of_d.st_mode & 0777);
  const struct timespec modified[2] = {{0, UTIME_OMIT}, {3000000, 500000000}};
  CHECK(futimens(fd, modified));
  fstat(fd, &stat_of_d);
  CHECK(stat_of_d.st_atime);
  CHECK(stat_of_d.st_mtime);
  const struct timeval both[2] = {{4000000, 0}, {5000000, 0}};
  CHECK(futimes(fd, both));
  fstat(fd, &stat_of_d);
  CHECK(stat_of_d.st_atime);
  CHECK(stat_of_d.st_mtime);
  const struct timespec wrong[2] = {{0, -5}, {0, 0}};
  FAILS(futimens(fd, wrong), EINVAL);
  CHECK(futimens(fd, NULL));
  fstat(fd, &stat_of_d);
  CHECK(stat_of_d.st_mtime > 900000000);
  close(fd);
  FAILS(fchmod(fd, 0600), EBADF);
  FAILS(futimens(fd, 0), EBADF);
}

static void mappings(void) {
  long page = sysconf(_SC_PAGESIZE);
  CHECK(page == getpagesize());
  char *memory = mmap(NULL, 100000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  CHECK(memory[0] + memory[99999]);
  memory[50000] = 7;
  CHECK(munmap(memory, 100000));
  int zero = open("/dev/zero", O_RDWR);
  memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
  CHECK(memory != MAP_FAILED && memory[4095] == 0);
  munmap(memory, 4096);
  struct stat stat;
  CHECK(fstat(zero, &stat) == 0 && stat.st_rdev == makedev(1, 5));
  close(zero);
  int none = open("/dev/null", O_RDWR);
  CHECK(fstat(none, &stat) == 0 && stat.st_rdev == makedev(1, 3));
  CHECK(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, none, 0) == MAP_FAILED && errno == ENODEV);
  close(none);
  int folder = open(".", O_RDONLY);
  CHECK(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, folder, 0) == MAP_FAILED && errno == ENODEV);
  close(folder);
  int fd = open("map", O_RDWR | O_CREAT | O_TRUNC, 0644);
  write(fd, "shared memory", 13);
  char *shared = mmap(NULL, 13, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  char *private = mmap(NULL, 13, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  CHECK(memcmp(shared, "shared memory", 13));
  CHECK(shared[13]);
  pwrite(fd, "SH", 2, 0);
  printf("%.13s\n", shared);
  shared[2] = 'X';
  private[3] = 'P';
  CHECK(msync(shared, 13, MS_SYNC));
  char buffer[16] = "";
  CHECK(pread(fd, buffer, 15, 0));
  puts(buffer);
  close(fd);
  shared[4] = 'Y';
  CHECK(munmap(shared, 13));
  CHECK(munmap(private, 13));
  fd = open("map", O_RDONLY);
  CHECK(read(fd, buffer, 15));
  puts(buffer);
  CHECK(mmap(NULL, 13, PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED && errno == EACCES);
  CHECK(mmap(NULL, 0, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED && errno == EINVAL);
  close(fd);
  /* Left mapped: written at the end of the program. */
  fd = open("map", O_RDWR);
  shared = mmap(NULL, 13, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  shared[12] = '!';
}

int main(void) {
  umask(022);
  descriptors();
  pipes();
  folders();
  constants();
  links();
  times();
  mappings();
  return 0;
}
