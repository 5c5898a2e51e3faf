/* Paths relative to an open folder, for openat and similar functions. */
#ifndef RZ_PATH_H
#define RZ_PATH_H

#include <limits.h>

/* Returns the path, or the folder's path joined with it in `buffer`; NULL with errno. */
const char *__rz_path_at(int folder, const char *path, char buffer[PATH_MAX]);

/* The absolute form of a path, not resolved, in memory from malloc; NULL with errno. */
char *__rz_absolute_path(const char *path);

#endif
