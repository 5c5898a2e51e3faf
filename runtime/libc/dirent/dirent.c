/* Folders: the host answers by index, so a position is an index. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine.h"
#include "fd.h"
#include "host.h"
#include "result.h"

struct __rz_dir {
  int fd;
  long index;
  struct dirent entry;
};

DIR *fdopendir(int fd) {
  struct stat stat;
  if (fstat(fd, &stat) < 0) return NULL;
  if (!S_ISDIR(stat.st_mode)) {
    errno = ENOTDIR;
    return NULL;
  }
  DIR *folder = __rz_library_block(sizeof *folder);
  if (folder) folder->fd = fd;
  return folder;
}

DIR *opendir(const char *path) {
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return NULL;
  DIR *folder = fdopendir(fd);
  if (!folder) close(fd);
  return folder;
}

int closedir(DIR *folder) {
  int fd = folder->fd;
  __rz_library_free(folder);
  return close(fd);
}

struct dirent *readdir(DIR *folder) {
  struct __rz_open_file *file = __rz_fd_file(folder->fd);
  struct __host_entry entry = {0};
  if (!file) return NULL;
  int result = __host_list(file->handle, folder->index, &entry);
  if (result <= 0) {
    if (result < 0) errno = -result;
    return NULL;
  }
  folder->index++;
  folder->entry.d_ino = entry.inode;
  folder->entry.d_off = folder->index;
  folder->entry.d_reclen = sizeof folder->entry;
  folder->entry.d_type = (unsigned char)entry.type;
  memcpy(folder->entry.d_name, entry.name, entry.length);
  folder->entry.d_name[entry.length] = 0;
  return &folder->entry;
}

int readdir_r(DIR *restrict folder, struct dirent *restrict entry, struct dirent **restrict result) {
  int saved = errno;
  errno = 0;
  struct dirent *next = readdir(folder);
  int number = errno;
  errno = saved;
  *result = next ? entry : NULL;
  if (next) *entry = *next;
  return next ? 0 : number;
}

void rewinddir(DIR *folder) { folder->index = 0; }

long telldir(DIR *folder) { return folder->index; }

void seekdir(DIR *folder, long position) { folder->index = position; }

int dirfd(DIR *folder) { return folder->fd; }
