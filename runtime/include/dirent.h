/* <dirent.h>: reading folders */
#ifndef _DIRENT_H
#define _DIRENT_H

#include <features.h>
#include <bits/posix-types.h>

#ifdef __USE_MISC
#include <bits/posix-limits.h>
#define MAXNAMLEN 255
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct __rz_dir DIR;

struct dirent {
  ino_t d_ino;
  off_t d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
#define d_fileno d_ino
#define dirent64 dirent
#define readdir64 readdir
#define _DIRENT_HAVE_D_TYPE 1

#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
#define IFTODT(mode) (((mode) & 0170000) >> 12)
#define DTTOIF(type) ((type) << 12)

DIR *opendir(const char *__path);
DIR *fdopendir(int __fd);
int closedir(DIR *__folder);
struct dirent *readdir(DIR *__folder);
int readdir_r(DIR *__restrict __folder, struct dirent *__restrict __entry, struct dirent **__restrict __result);
void rewinddir(DIR *__folder);
long telldir(DIR *__folder);
void seekdir(DIR *__folder, long __position);
int dirfd(DIR *__folder);
int scandir(const char *__path, struct dirent ***__list, int (*__keep)(const struct dirent *),
            int (*__compare)(const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **__a, const struct dirent **__b);
int versionsort(const struct dirent **__a, const struct dirent **__b);

#ifdef __cplusplus
}
#endif

#endif
