/* <sys/stat.h>: what is known about a file */
#ifndef _SYS_STAT_H
#define _SYS_STAT_H

#include <bits/timespec.h>
#include <bits/posix-types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct stat {
  dev_t st_dev;
  ino_t st_ino;
  nlink_t st_nlink;
  mode_t st_mode;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  off_t st_size;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
  struct timespec st_atim;
  struct timespec st_mtim;
  struct timespec st_ctim;
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec
#define stat64 stat
#define fstat64 fstat
#define lstat64 lstat

#define S_IFMT 0170000
#define S_IFSOCK 0140000
#define S_IFLNK 0120000
#define S_IFREG 0100000
#define S_IFBLK 0060000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFIFO 0010000

#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRWXU 00700
#define S_IRUSR 00400
#define S_IWUSR 00200
#define S_IXUSR 00100
#define S_IRWXG 00070
#define S_IRGRP 00040
#define S_IWGRP 00020
#define S_IXGRP 00010
#define S_IRWXO 00007
#define S_IROTH 00004
#define S_IWOTH 00002
#define S_IXOTH 00001
#define S_IREAD S_IRUSR
#define S_IWRITE S_IWUSR
#define S_IEXEC S_IXUSR
#define ACCESSPERMS 0777
#define ALLPERMS 07777
#define DEFFILEMODE 0666

#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)

/* Programs define the structure themselves if they do not request GNU names. */
#ifdef _GNU_SOURCE
#define STATX_TYPE 0x0001
#define STATX_MODE 0x0002
#define STATX_NLINK 0x0004
#define STATX_UID 0x0008
#define STATX_GID 0x0010
#define STATX_ATIME 0x0020
#define STATX_MTIME 0x0040
#define STATX_CTIME 0x0080
#define STATX_INO 0x0100
#define STATX_SIZE 0x0200
#define STATX_BLOCKS 0x0400
#define STATX_BASIC_STATS 0x07ff
#define STATX_BTIME 0x0800
#define STATX_ALL 0x0fff

struct statx_timestamp {
  long long tv_sec;
  unsigned tv_nsec;
  int __reserved;
};

struct statx {
  unsigned stx_mask;
  unsigned stx_blksize;
  unsigned long long stx_attributes;
  unsigned stx_nlink;
  unsigned stx_uid;
  unsigned stx_gid;
  unsigned short stx_mode;
  unsigned short __spare0;
  unsigned long long stx_ino;
  unsigned long long stx_size;
  unsigned long long stx_blocks;
  unsigned long long stx_attributes_mask;
  struct statx_timestamp stx_atime;
  struct statx_timestamp stx_btime;
  struct statx_timestamp stx_ctime;
  struct statx_timestamp stx_mtime;
  unsigned stx_rdev_major;
  unsigned stx_rdev_minor;
  unsigned stx_dev_major;
  unsigned stx_dev_minor;
  unsigned long long __spare2[14];
};

int statx(int __folder, const char *__restrict __path, int __flags, unsigned __mask, struct statx *__restrict __out);
#endif

#define UTIME_NOW ((1l << 30) - 1l)
#define UTIME_OMIT ((1l << 30) - 2l)

int stat(const char *__restrict __path, struct stat *__restrict __out);
int lstat(const char *__restrict __path, struct stat *__restrict __out);
int fstat(int __fd, struct stat *__out);
int fstatat(int __folder, const char *__restrict __path, struct stat *__restrict __out, int __flags);
int chmod(const char *__path, mode_t __mode);
int fchmod(int __fd, mode_t __mode);
int lchmod(const char *__path, mode_t __mode);
int fchmodat(int __folder, const char *__path, mode_t __mode, int __flags);
mode_t umask(mode_t __mask);
int mkdir(const char *__path, mode_t __mode);
int mkdirat(int __folder, const char *__path, mode_t __mode);
int mkfifo(const char *__path, mode_t __mode);
int mkfifoat(int __folder, const char *__path, mode_t __mode);
int mknod(const char *__path, mode_t __mode, dev_t __device);
int mknodat(int __folder, const char *__path, mode_t __mode, dev_t __device);
int utimensat(int __folder, const char *__path, const struct timespec __times[2], int __flags);
int futimens(int __fd, const struct timespec __times[2]);

#ifdef __cplusplus
}
#endif

#endif
