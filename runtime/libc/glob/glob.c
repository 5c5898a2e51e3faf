/*
 * Names of files that match a shell pattern.
 *
 * The pattern is taken apart at its slashes. A part without wildcards only extends the path; a part
 * with them is compared with every name in the folder that the path leads to so far. Results of one
 * call are sorted.
 *
 *     src/[a-f]*.c   "src" extends "" to "src/";  "[a-f]*.c" is compared with the names in "src/"
 */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct search {
  int flags;
  int (*on_error)(const char *, int);
  glob_t *result;
};

static int has_magic(const char *part, size_t length, int flags) {
  int in_bracket = 0;
  for (size_t i = 0; i < length; i++) {
    if (part[i] == '\\' && !(flags & GLOB_NOESCAPE)) i++;
    else if (part[i] == '*' || part[i] == '?') return 1;
    else if (part[i] == '[') in_bracket = 1;
    else if (part[i] == ']' && in_bracket) return 1;
  }
  return 0;
}

/* Appends a path to the results. */
static int add(glob_t *result, const char *path, int is_marked) {
  const size_t offset = result->gl_flags & GLOB_DOOFFS ? result->gl_offs : 0;
  const size_t length = strlen(path);
  char *copy = malloc(length + 2);
  char **paths = realloc(result->gl_pathv, (offset + result->gl_pathc + 2) * sizeof *paths);
  if (paths) result->gl_pathv = paths;
  if (!copy || !paths) {
    free(copy);
    return GLOB_NOSPACE;
  }
  memcpy(copy, path, length + 1);
  if (is_marked && (length == 0 || path[length - 1] != '/')) strcpy(copy + length, "/");
  for (size_t i = 0; result->gl_pathc == 0 && i < offset; i++) paths[i] = 0;
  paths[offset + result->gl_pathc++] = copy;
  paths[offset + result->gl_pathc] = 0;
  return 0;
}

/* The whole pattern is used up: the path is a result if it exists. */
static int add_if_exists(struct search *s, const char *path) {
  struct stat info;
  if (lstat(path, &info) != 0) return 0;
  if (S_ISLNK(info.st_mode)) stat(path, &info);
  const int is_folder = S_ISDIR(info.st_mode);
  if ((s->flags & GLOB_ONLYDIR) && !is_folder) return 0;
  return add(s->result, path, (s->flags & GLOB_MARK) && is_folder);
}

static int expand(struct search *s, char *path, size_t length, const char *pattern);

/* Copies a part without its backslashes; false if the path becomes too long. */
static int append(char *path, size_t *length, const char *part, size_t part_length, int flags) {
  for (size_t i = 0; i < part_length; i++) {
    if (part[i] == '\\' && !(flags & GLOB_NOESCAPE) && i + 1 < part_length) i++;
    if (*length + 1 >= PATH_MAX) return 0;
    path[(*length)++] = part[i];
  }
  path[*length] = 0;
  return 1;
}

/*
 * Compares a part with wildcards with every name of the folder, and continues with the rest of the
 * pattern.
 */
static int expand_folder(struct search *s, char *path, size_t length, const char *part, size_t part_length) {
  char wildcard[NAME_MAX + 1];
  if (part_length > NAME_MAX) return 0;
  memcpy(wildcard, part, part_length);
  wildcard[part_length] = 0;
  DIR *folder = opendir(length ? path : ".");
  if (!folder) {
    const int error = errno;
    if (error == ENOTDIR || error == ENOENT) return 0;
    const int refused = s->on_error && s->on_error(length ? path : ".", error);
    return refused || (s->flags & GLOB_ERR) ? GLOB_ABORTED : 0;
  }
  const int fnmatch_flags =
      (s->flags & GLOB_NOESCAPE ? FNM_NOESCAPE : 0) | (s->flags & GLOB_PERIOD ? 0 : FNM_PERIOD);
  int error = 0;
  for (struct dirent *entry; !error && (entry = readdir(folder));) {
    size_t extended = length;
    if (fnmatch(wildcard, entry->d_name, fnmatch_flags) != 0) continue;
    if (!append(path, &extended, entry->d_name, strlen(entry->d_name), GLOB_NOESCAPE)) continue;
    error = expand(s, path, extended, part + part_length);
    path[length] = 0;
  }
  closedir(folder);
  return error;
}

/* `path` holds what was matched so far; `pattern` is the rest. */
static int expand(struct search *s, char *path, size_t length, const char *pattern) {
  for (;;) {
    const size_t slashes = strspn(pattern, "/");
    if (!append(path, &length, pattern, slashes, GLOB_NOESCAPE)) return 0;
    pattern += slashes;
    if (*pattern == 0) return add_if_exists(s, path);
    const size_t part_length = strcspn(pattern, "/");
    if (has_magic(pattern, part_length, s->flags)) return expand_folder(s, path, length, pattern, part_length);
    if (!append(path, &length, pattern, part_length, s->flags)) return 0;
    pattern += part_length;
  }
}

static int by_name(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

/* ~ and ~user at the beginning; null if there is no such user. To be freed. */
static char *expand_tilde(const char *pattern) {
  const size_t name_length = strcspn(pattern, "/") - 1;
  char name[NAME_MAX + 1];
  if (name_length > NAME_MAX) return 0;
  memcpy(name, pattern + 1, name_length);
  name[name_length] = 0;
  const char *home = name_length == 0 ? getenv("HOME") : 0;
  if (!home) {
    const struct passwd *user = name_length == 0 ? getpwuid(getuid()) : getpwnam(name);
    if (!user) return 0;
    home = user->pw_dir;
  }
  char *expanded = malloc(strlen(home) + strlen(pattern) + 1);
  if (expanded) strcat(strcpy(expanded, home), pattern + 1 + name_length);
  return expanded;
}

/* One pattern without braces. */
static int glob_plain(struct search *s, const char *pattern) {
  char path[PATH_MAX] = "";
  glob_t *result = s->result;
  const size_t before = result->gl_pathc;
  char *expanded = 0;
  if (pattern[0] == '~' && (s->flags & (GLOB_TILDE | GLOB_TILDE_CHECK))) {
    expanded = expand_tilde(pattern);
    if (!expanded && (s->flags & GLOB_TILDE_CHECK)) return GLOB_NOMATCH;
  }
  const char *effective = expanded ? expanded : pattern;
  int error = expand(s, path, 0, effective);
  if (!error && result->gl_pathc == before) {
    const int keeps_plain = (s->flags & GLOB_NOMAGIC) && !has_magic(effective, strlen(effective), s->flags);
    error = (s->flags & GLOB_NOCHECK) || keeps_plain ? add(result, effective, 0) : GLOB_NOMATCH;
  } else if (!error && !(s->flags & GLOB_NOSORT)) {
    const size_t offset = result->gl_flags & GLOB_DOOFFS ? result->gl_offs : 0;
    qsort(result->gl_pathv + offset + before, result->gl_pathc - before, sizeof(char *), by_name);
  }
  free(expanded);
  return error;
}

/* The end of the alternative of a brace that begins at p: its ',' or '}', or null. */
static const char *end_of_alternative(const char *p) {
  int depth = 0;
  for (; *p; p++) {
    if (*p == '\\' && p[1]) p++;
    else if (*p == '{') depth++;
    else if (*p == '}' && depth-- == 0) return p;
    else if (*p == ',' && depth == 0) return p;
  }
  return 0;
}

/*
 * Expands the first brace into its alternatives, one pattern after the other: they are not sorted
 * together.
 */
static int glob_braces(struct search *s, const char *pattern) {
  const char *open = strchr(pattern, '{');
  const char *close = open ? end_of_alternative(open + 1) : 0;
  while (close && *close == ',') close = end_of_alternative(close + 1);
  if (!close || close == open + 1) return glob_plain(s, pattern);
  int outcome = GLOB_NOMATCH;
  for (const char *from = open + 1; from <= close;) {
    const char *to = end_of_alternative(from);
    char *whole = malloc(strlen(pattern) + 1);
    if (!whole) return GLOB_NOSPACE;
    const size_t before = (size_t)(open - pattern), middle = (size_t)(to - from);
    memcpy(whole, pattern, before);
    memcpy(whole + before, from, middle);
    strcpy(whole + before + middle, close + 1);
    const int error = glob_braces(s, whole);
    free(whole);
    if (error && error != GLOB_NOMATCH) return error;
    if (!error) outcome = 0;
    from = to + 1;
  }
  return outcome;
}

int glob(const char *restrict pattern, int flags, int (*on_error)(const char *, int), glob_t *restrict result) {
  if (!(flags & GLOB_APPEND)) {
    result->gl_pathc = 0;
    result->gl_pathv = 0;
  }
  if (!(flags & GLOB_DOOFFS)) result->gl_offs = 0;
  result->gl_flags = flags;
  struct search s = {flags, on_error, result};
  return flags & GLOB_BRACE ? glob_braces(&s, pattern) : glob_plain(&s, pattern);
}

void globfree(glob_t *result) {
  for (size_t i = 0; i < result->gl_pathc; i++) free(result->gl_pathv[result->gl_offs + i]);
  free(result->gl_pathv);
  result->gl_pathc = 0;
  result->gl_pathv = 0;
}
