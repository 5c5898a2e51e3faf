/*
 * The functions of <fts.h>: a walk through trees of files, one entry for each call of fts_read.
 *
 * `fts_cur` is the entry that was returned last. Before the first call it is an entry of its own
 * kind (FTS_INIT) whose `fts_link` is the first root. `fts_child` has the members of the current
 * folder if fts_children has read them. Entries live until fts_read passes them; folders until
 * their second visit. The current folder never changes, with or without FTS_NOCHDIR: each entry has
 * a block with its whole path, so `fts_accpath` can be opened in both cases.
 */
#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_dot(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

static void free_entry(FTSENT *entry) {
  free(entry->fts_path);
  free(entry->fts_statp);
  free(entry);
}

static void free_list(FTSENT *entry) {
  while (entry) {
    FTSENT *next = entry->fts_link;
    free_entry(entry);
    entry = next;
  }
}

/* The path of the entry is `folder` and `name`, or `name` for a root. */
static FTSENT *new_entry(FTSENT *parent, const char *folder, const char *name) {
  const char *slash = folder ? NULL : strrchr(name, '/');
  const char *shown = slash && (slash != name || slash[1]) ? slash + 1 : name;
  const size_t length = folder ? strlen(folder) : 0;
  FTSENT *entry = calloc(1, sizeof *entry + strlen(shown));
  char *path = malloc(length + strlen(name) + 2);
  struct stat *status = calloc(1, sizeof *status);
  if (!entry || !path || !status) {
    free(entry);
    free(path);
    free(status);
    return NULL;
  }
  memcpy(path, folder ? folder : "", length);
  size_t at = length;
  if (folder && (at == 0 || path[at - 1] != '/')) path[at++] = '/';
  strcpy(path + at, name);
  strcpy(entry->fts_name, shown);
  entry->fts_parent = parent;
  entry->fts_path = entry->fts_accpath = path;
  entry->fts_statp = status;
  entry->fts_pathlen = (unsigned short)strlen(path);
  entry->fts_namelen = (unsigned short)strlen(shown);
  entry->fts_level = (short)(parent->fts_level + 1);
  entry->fts_instr = FTS_NOINSTR;
  return entry;
}

/* Whether a folder above is the same, so that the walk would not end. */
static int is_cycle(FTSENT *entry) {
  for (FTSENT *above = entry->fts_parent; above->fts_level >= FTS_ROOTLEVEL; above = above->fts_parent)
    if (above->fts_ino == entry->fts_ino && above->fts_dev == entry->fts_dev) {
      entry->fts_cycle = above;
      return 1;
    }
  return 0;
}

/* What is at the path; symbolic links are followed if `follows`. */
static unsigned short look_at(FTSENT *entry, int follows) {
  struct stat *status = entry->fts_statp;
  if (follows ? stat(entry->fts_path, status) < 0 : lstat(entry->fts_path, status) < 0) {
    entry->fts_errno = errno;
    if (follows && lstat(entry->fts_path, status) == 0 && S_ISLNK(status->st_mode)) {
      entry->fts_errno = errno = 0;
      return FTS_SLNONE;
    }
    memset(status, 0, sizeof *status);
    return FTS_NS;
  }
  if (S_ISLNK(status->st_mode)) return FTS_SL;
  if (S_ISREG(status->st_mode)) return FTS_F;
  if (!S_ISDIR(status->st_mode)) return FTS_DEFAULT;
  entry->fts_dev = status->st_dev;
  entry->fts_ino = status->st_ino;
  entry->fts_nlink = status->st_nlink;
  if (entry->fts_level > FTS_ROOTLEVEL && is_dot(entry->fts_name)) return FTS_DOT;
  return is_cycle(entry) ? FTS_DC : FTS_D;
}

/* Sorts a list of `count` entries with the program's function. */
static FTSENT *sorted(FTS *walk, FTSENT *list, size_t count) {
  if (!walk->fts_compar || count < 2) return list;
  FTSENT **entries = malloc(count * sizeof *entries);
  if (!entries) return list;
  for (size_t i = 0; i < count; i++, list = list->fts_link) entries[i] = list;
  qsort(entries, count, sizeof *entries, walk->fts_compar);
  for (size_t i = 0; i + 1 < count; i++) entries[i]->fts_link = entries[i + 1];
  entries[count - 1]->fts_link = NULL;
  FTSENT *first = entries[0];
  free(entries);
  return first;
}

/* The members of the current folder; without any, its `fts_info` says why. */
static FTSENT *members_of(FTS *walk, FTSENT *folder) {
  DIR *directory = opendir(folder->fts_path);
  if (!directory) {
    folder->fts_info = FTS_DNR;
    folder->fts_errno = errno;
    return NULL;
  }
  FTSENT *first = NULL, **end = &first;
  size_t count = 0;
  for (struct dirent *member; (member = readdir(directory));) {
    if (is_dot(member->d_name) && !(walk->fts_options & FTS_SEEDOT)) continue;
    FTSENT *entry = new_entry(folder, folder->fts_path, member->d_name);
    if (!entry) {
      folder->fts_info = FTS_ERR;
      folder->fts_errno = errno;
      walk->fts_options |= FTS_STOP;
      free_list(first);
      closedir(directory);
      return NULL;
    }
    const int is_known = member->d_type != DT_DIR && member->d_type != DT_UNKNOWN;
    const int needs_no_status = is_known && walk->fts_options & FTS_NOSTAT && walk->fts_options & FTS_PHYSICAL;
    entry->fts_info = needs_no_status ? FTS_NSOK : look_at(entry, walk->fts_options & FTS_LOGICAL);
    *end = entry;
    end = &entry->fts_link;
    count++;
  }
  closedir(directory);
  if (count == 0) folder->fts_info = FTS_DP;
  return sorted(walk, first, count);
}

FTS *fts_open(char *const *paths, int options, int (*compare)(const FTSENT **, const FTSENT **)) {
  if (options & ~FTS_OPTIONMASK || !*paths) {
    errno = EINVAL;
    return NULL;
  }
  FTS *walk = calloc(1, sizeof *walk);
  FTSENT *above = calloc(1, sizeof *above), *before = calloc(1, sizeof *before);
  if (!walk || !above || !before) goto failed;
  walk->fts_options = options;
  walk->fts_compar = (int (*)(const void *, const void *))compare;
  above->fts_level = FTS_ROOTPARENTLEVEL;
  before->fts_info = FTS_INIT;
  before->fts_parent = above;
  size_t count = 0;
  for (FTSENT **end = &before->fts_link; *paths; paths++, count++) {
    if (**paths == 0) errno = ENOENT;
    FTSENT *entry = **paths == 0 ? NULL : new_entry(above, NULL, *paths);
    if (!entry) goto failed;
    entry->fts_info = look_at(entry, options & (FTS_LOGICAL | FTS_COMFOLLOW));
    *end = entry;
    end = &entry->fts_link;
  }
  before->fts_link = sorted(walk, before->fts_link, count);
  walk->fts_cur = before;
  return walk;
failed:
  if (before) free_list(before->fts_link);
  free(before);
  free(above);
  free(walk);
  return NULL;
}

/* Begins with an entry that was reached by going on or down. */
static FTSENT *arrive(FTS *walk, FTSENT *entry) {
  walk->fts_cur = entry;
  if (entry->fts_level == FTS_ROOTLEVEL) walk->fts_dev = entry->fts_dev;
  if (entry->fts_instr == FTS_FOLLOW) {
    entry->fts_info = look_at(entry, 1);
    entry->fts_instr = FTS_NOINSTR;
  }
  return entry;
}

/* The folder that was entered; NULL if it has no members that can be read. */
static FTSENT *enter(FTS *walk, FTSENT *folder) {
  FTSENT *first = walk->fts_child ? walk->fts_child : members_of(walk, folder);
  walk->fts_child = NULL;
  return first;
}

FTSENT *fts_read(FTS *walk) {
  FTSENT *entry = walk->fts_cur;
  if (!entry || walk->fts_options & FTS_STOP) return NULL;
  const int instruction = entry->fts_instr;
  entry->fts_instr = FTS_NOINSTR;
  if (instruction == FTS_AGAIN) {
    entry->fts_info = look_at(entry, walk->fts_options & FTS_LOGICAL);
    return entry;
  }
  if (instruction == FTS_FOLLOW && (entry->fts_info == FTS_SL || entry->fts_info == FTS_SLNONE)) {
    entry->fts_info = look_at(entry, 1);
    return entry;
  }
  if (entry->fts_info == FTS_D) {
    const int leaves_device = walk->fts_options & FTS_XDEV && entry->fts_dev != walk->fts_dev;
    if (instruction == FTS_SKIP || leaves_device) {
      free_list(walk->fts_child);
      walk->fts_child = NULL;
      entry->fts_info = FTS_DP;
      return entry;
    }
    FTSENT *first = enter(walk, entry);
    if (!first) return walk->fts_options & FTS_STOP ? NULL : entry;
    return arrive(walk, first);
  }
  FTSENT *parent = entry->fts_parent;
  for (FTSENT *next = entry->fts_link; next; next = entry->fts_link) {
    free_entry(entry);
    entry = next;
    if (entry->fts_instr != FTS_SKIP) return arrive(walk, entry);
  }
  free_entry(entry);
  walk->fts_cur = parent;
  if (parent->fts_level == FTS_ROOTPARENTLEVEL) {
    free(parent);
    walk->fts_cur = NULL;
    errno = 0;
    return NULL;
  }
  parent->fts_info = parent->fts_errno ? FTS_ERR : FTS_DP;
  return parent;
}

FTSENT *fts_children(FTS *walk, int options) {
  if (options != 0 && options != FTS_NAMEONLY) {
    errno = EINVAL;
    return NULL;
  }
  FTSENT *entry = walk->fts_cur;
  errno = 0;
  if (!entry || walk->fts_options & FTS_STOP) return NULL;
  if (entry->fts_info == FTS_INIT) return entry->fts_link;
  if (entry->fts_info != FTS_D) return NULL;
  free_list(walk->fts_child);
  walk->fts_child = members_of(walk, entry);
  return walk->fts_child;
}

int fts_set(FTS *walk, FTSENT *entry, int instruction) {
  (void)walk;
  if (instruction != 0 && (instruction < FTS_AGAIN || instruction > FTS_SKIP)) {
    errno = EINVAL;
    return 1;
  }
  entry->fts_instr = (unsigned short)instruction;
  return 0;
}

int fts_close(FTS *walk) {
  for (FTSENT *entry = walk->fts_cur; entry;) {
    FTSENT *above = entry->fts_parent;
    if (entry->fts_level == FTS_ROOTPARENTLEVEL) {
      free(entry);
      break;
    }
    free_list(entry);
    entry = above;
  }
  free_list(walk->fts_child);
  free(walk);
  return 0;
}
