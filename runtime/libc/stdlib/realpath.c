/*
 * realpath: walks the path component by component and replaces symbolic links by their targets.
 *
 *     done       what is resolved so far, without a slash at the end: "" is the root
 *     pending    what is still to be walked
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_LINKS 40

struct walk {
  char done[PATH_MAX];
  size_t length;
  char pending[PATH_MAX];
  int links;
};

static int fail(int number) {
  errno = number;
  return -1;
}

/* Inserts text before the pending part. */
static int push(struct walk *walk, const char *text) {
  size_t n = strlen(text), m = strlen(walk->pending);
  if (n + m + 2 > PATH_MAX) return fail(ENAMETOOLONG);
  memmove(walk->pending + n + 1, walk->pending, m + 1);
  memcpy(walk->pending, text, n);
  walk->pending[n] = '/';
  return 0;
}

static int step(struct walk *walk, const char *name, size_t n) {
  if (n == 0 || (n == 1 && name[0] == '.')) return 0;
  if (n == 2 && name[0] == '.' && name[1] == '.') {
    while (walk->length > 0 && walk->done[--walk->length] != '/') continue;
    walk->done[walk->length] = 0;
    return 0;
  }
  if (walk->length + n + 2 > PATH_MAX) return fail(ENAMETOOLONG);
  size_t before = walk->length;
  walk->done[walk->length++] = '/';
  memcpy(walk->done + walk->length, name, n);
  walk->length += n;
  walk->done[walk->length] = 0;

  struct stat stat;
  if (lstat(walk->done, &stat) < 0) {
    /* A folder above those that the program may access cannot be examined, and need not be. */
    return errno == EACCES && walk->pending[0] ? 0 : -1;
  }
  if (!S_ISLNK(stat.st_mode)) return 0;
  if (++walk->links > MOST_LINKS) return fail(ELOOP);
  char text[PATH_MAX];
  ssize_t length = readlink(walk->done, text, sizeof text - 1);
  if (length < 0) return -1;
  text[length] = 0;
  walk->length = text[0] == '/' ? 0 : before;
  walk->done[walk->length] = 0;
  return push(walk, text);
}

static int resolve(struct walk *walk) {
  while (walk->pending[0]) {
    char name[NAME_MAX + 1];
    size_t n = strcspn(walk->pending, "/");
    if (n > NAME_MAX) return fail(ENAMETOOLONG);
    memcpy(name, walk->pending, n);
    size_t used = walk->pending[n] ? n + 1 : n;
    memmove(walk->pending, walk->pending + used, strlen(walk->pending + used) + 1);
    if (step(walk, name, n) < 0) return -1;
  }
  return 0;
}

char *realpath(const char *restrict path, char *restrict resolved) {
  struct walk walk = {.done = "", .pending = ""};
  struct stat exists;
  if (!path || !*path) {
    errno = path ? ENOENT : EINVAL;
    return NULL;
  }
  if (push(&walk, path) < 0) return NULL;
  if (*path != '/') {
    char folder[PATH_MAX];
    if (!getcwd(folder, sizeof folder)) return NULL;
    strcpy(walk.done, folder[1] ? folder : "");
    walk.length = strlen(walk.done);
  }
  if (stat(path, &exists) < 0 || resolve(&walk) < 0) return NULL;
  const char *result = walk.length == 0 ? "/" : walk.done;
  return resolved ? strcpy(resolved, result) : strdup(result);
}

char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }
