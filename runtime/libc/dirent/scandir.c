#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int alphasort(const struct dirent **a, const struct dirent **b) { return strcoll((*a)->d_name, (*b)->d_name); }

int versionsort(const struct dirent **a, const struct dirent **b) { return strverscmp((*a)->d_name, (*b)->d_name); }

static void free_list(struct dirent **list, size_t count) {
  while (count > 0) free(list[--count]);
  free(list);
}

/* Adds a copy of the entry; -1 without memory. */
static int add(struct dirent ***list, size_t *count, size_t *capacity, const struct dirent *entry) {
  if (*count == *capacity) {
    size_t larger_capacity = *capacity ? *capacity * 2 : 16;
    struct dirent **larger = realloc(*list, larger_capacity * sizeof *larger);
    if (!larger) return -1;
    *list = larger;
    *capacity = larger_capacity;
  }
  struct dirent *copy = malloc(sizeof *copy);
  if (!copy) return -1;
  *copy = *entry;
  (*list)[(*count)++] = copy;
  return 0;
}

int scandir(const char *path, struct dirent ***list, int (*keep)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
  DIR *folder = opendir(path);
  if (!folder) return -1;
  struct dirent **found = NULL;
  size_t count = 0, capacity = 0;
  int saved = errno;
  errno = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (keep && !keep(entry)) continue;
    if (add(&found, &count, &capacity, entry) < 0) break;
  }
  int number = errno;
  closedir(folder);
  if (number) {
    free_list(found, count);
    errno = number;
    return -1;
  }
  errno = saved;
  if (compare && count > 1) qsort(found, count, sizeof *found, (int (*)(const void *, const void *))compare);
  *list = found;
  return (int)count;
}
