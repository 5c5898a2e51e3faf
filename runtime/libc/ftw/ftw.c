/*
 * ftw and nftw: calls a function for every file below a folder.
 *
 * Names of a folder are read before the first of them is visited, so one descriptor at a time is
 * enough, and a visitor may remove what it is shown.
 */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct walk {
  __ftw_func_t plain; /* of ftw; otherwise extended */
  __nftw_func_t extended;
  int flags;
  dev_t device;
};

/* Numbers of files, one for each folder on the way down: a link may lead back to it. */
struct above {
  const struct above *next;
  dev_t device;
  ino_t inode;
};

static int visit(const struct walk *walk, const char *path, const struct stat *status, int type, int base, int level) {
  if (walk->plain) return walk->plain(path, status, type == FTW_SLN ? FTW_NS : type);
  struct FTW place = {base, level};
  return walk->extended(path, status, type, &place);
}

/* What is at the path: FTW_D, FTW_F, FTW_SL, FTW_SLN or FTW_NS. */
static int look_at(const struct walk *walk, const char *path, struct stat *status) {
  if (walk->flags & FTW_PHYS ? lstat(path, status) < 0 : stat(path, status) < 0) {
    if (lstat(path, status) == 0 && S_ISLNK(status->st_mode)) return FTW_SLN;
    memset(status, 0, sizeof *status);
    return FTW_NS;
  }
  if (S_ISDIR(status->st_mode)) return FTW_D;
  return S_ISLNK(status->st_mode) ? FTW_SL : FTW_F;
}

static int descend(const struct walk *walk, const char *path, int base, int level, const struct above *above);

static int visit_members(const struct walk *walk, const char *path, int level, const struct above *above) {
  struct dirent **members;
  const int count = scandir(path, &members, 0, 0);
  if (count < 0) return -1;
  const size_t length = strlen(path);
  int result = 0;
  for (int i = 0; i < count; i++) {
    const char *name = members[i]->d_name;
    const int is_own = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    if (result == 0 && !is_own) {
      char *member = malloc(length + strlen(name) + 2);
      if (member) {
        memcpy(member, path, length);
        size_t at = length;
        if (at == 0 || member[at - 1] != '/') member[at++] = '/';
        strcpy(member + at, name);
        result = descend(walk, member, (int)at, level + 1, above);
        free(member);
      } else {
        result = -1;
      }
    }
    free(members[i]);
  }
  free(members);
  return result == FTW_SKIP_SIBLINGS && walk->flags & FTW_ACTIONRETVAL ? 0 : result;
}

static int visit_folder(const struct walk *walk, const char *path, const struct stat *status, int base, int level,
                        const struct above *above) {
  for (const struct above *each = above; each; each = each->next)
    if (each->device == status->st_dev && each->inode == status->st_ino) return 0;
  const int after = walk->flags & FTW_DEPTH;
  if (access(path, R_OK | X_OK) < 0) return visit(walk, path, status, FTW_DNR, base, level);
  int result = after ? 0 : visit(walk, path, status, FTW_D, base, level);
  if (result == FTW_SKIP_SUBTREE && walk->flags & FTW_ACTIONRETVAL) return 0;
  if (result != 0) return result;
  const struct above here = {above, status->st_dev, status->st_ino};
  result = visit_members(walk, path, level, &here);
  return result == 0 && after ? visit(walk, path, status, FTW_DP, base, level) : result;
}

static int descend(const struct walk *walk, const char *path, int base, int level, const struct above *above) {
  struct stat status;
  const int type = look_at(walk, path, &status);
  if (walk->flags & FTW_MOUNT && type != FTW_NS && status.st_dev != walk->device) return 0;
  if (type == FTW_D) return visit_folder(walk, path, &status, base, level, above);
  const int result = visit(walk, path, &status, type, base, level);
  return result == FTW_SKIP_SUBTREE && walk->flags & FTW_ACTIONRETVAL ? 0 : result;
}

static int start(struct walk *walk, const char *path) {
  struct stat status;
  if (walk->flags & FTW_PHYS ? lstat(path, &status) < 0 : stat(path, &status) < 0) return -1;
  walk->device = status.st_dev;
  const char *slash = strrchr(path, '/');
  return descend(walk, path, slash && slash[1] ? (int)(slash + 1 - path) : 0, 0, 0);
}

int ftw(const char *path, __ftw_func_t function, int descriptors) {
  (void)descriptors;
  struct walk walk = {.plain = function};
  return start(&walk, path);
}

/* With FTW_CHDIR names would be relative to each folder: few programs want that. */
int nftw(const char *path, __nftw_func_t function, int descriptors, int flags) {
  (void)descriptors;
  if (flags & FTW_CHDIR) {
    errno = EINVAL;
    return -1;
  }
  struct walk walk = {.extended = function, .flags = flags};
  return start(&walk, path);
}
