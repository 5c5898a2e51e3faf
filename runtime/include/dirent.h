/* <dirent.h>: reading folders */
#ifndef _DIRENT_H
#define _DIRENT_H

#include <sys/types.h>

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

DIR *opendir(const char *path);
DIR *fdopendir(int fd);
int closedir(DIR *folder);
struct dirent *readdir(DIR *folder);
int readdir_r(DIR *restrict folder, struct dirent *restrict entry, struct dirent **restrict result);
void rewinddir(DIR *folder);
long telldir(DIR *folder);
void seekdir(DIR *folder, long position);
int dirfd(DIR *folder);
int scandir(const char *path, struct dirent ***list, int (*keep)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **a, const struct dirent **b);
int versionsort(const struct dirent **a, const struct dirent **b);

#ifdef __cplusplus
}
#endif

#endif
