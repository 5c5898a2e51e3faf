/*
 * Permissions and owners. Streams and pipes have none of their own. Owners are the one user there
 * is.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fd.h"
#include "host.h"
#include "path.h"
#include "result.h"

int chmod(const char *path, mode_t mode) { return (int)__rz_result(__host_chmod(path, strlen(path), mode)); }

int lchmod(const char *path, mode_t mode) { return chmod(path, mode); }

int fchmod(int fd, mode_t mode) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  return file->functions ? __rz_error(ENOSYS) : (int)__rz_result(__host_fchmod(file->handle, mode));
}

int fchmodat(int folder, const char *path, mode_t mode, int flags) {
  char buffer[PATH_MAX];
  (void)flags;
  path = __rz_path_at(folder, path, buffer);
  return path ? chmod(path, mode) : -1;
}

static int is_own(uid_t owner, gid_t group) {
  return (owner == (uid_t)-1 || owner == getuid()) && (group == (gid_t)-1 || group == getgid());
}

int chown(const char *path, uid_t owner, gid_t group) {
  struct stat stat_of_path;
  if (stat(path, &stat_of_path) < 0) return -1;
  return is_own(owner, group) ? 0 : __rz_error(EPERM);
}

int lchown(const char *path, uid_t owner, gid_t group) {
  struct stat stat_of_path;
  if (lstat(path, &stat_of_path) < 0) return -1;
  return is_own(owner, group) ? 0 : __rz_error(EPERM);
}

int fchown(int fd, uid_t owner, gid_t group) {
  if (!__rz_fd_file(fd)) return -1;
  return is_own(owner, group) ? 0 : __rz_error(EPERM);
}

int fchownat(int folder, const char *path, uid_t owner, gid_t group, int flags) {
  char buffer[PATH_MAX];
  path = __rz_path_at(folder, path, buffer);
  if (!path) return -1;
  return flags & AT_SYMLINK_NOFOLLOW ? lchown(path, owner, group) : chown(path, owner, group);
}
