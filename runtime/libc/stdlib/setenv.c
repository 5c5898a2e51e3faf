/*
 * setenv, putenv, unsetenv, clearenv.
 *
 * The program may replace `environ` itself, and putenv stores the program's own string. So two
 * variables record what the library may free: `own_list` is the array that was allocated here, and
 * `own_strings` holds the strings that setenv allocated.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static char **own_list;
static char **own_strings;
static size_t own_count;

static size_t count_entries(void) {
  size_t count = 0;
  if (environ)
    while (environ[count]) count++;
  return count;
}

/* The entry of this name, or null. */
static char **find(const char *name, size_t length) {
  for (char **entry = environ; entry && *entry; entry++)
    if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return entry;
  return NULL;
}

static int remember(char *string) {
  char **grown = realloc(own_strings, (own_count + 1) * sizeof *grown);
  if (!grown) return -1;
  own_strings = grown;
  own_strings[own_count++] = string;
  return 0;
}

/* Frees a string of ours that has left the environment. */
static void forget(const char *string) {
  for (size_t i = 0; i < own_count; i++) {
    if (own_strings[i] != string) continue;
    free(own_strings[i]);
    own_strings[i] = own_strings[--own_count];
    return;
  }
}

/* Puts the assignment into the list; it replaces an entry of the same name. */
static int install(char *assignment, size_t name_length) {
  char **entry = find(assignment, name_length);
  if (entry) {
    char *previous = *entry;
    *entry = assignment;
    if (previous != assignment) forget(previous);
    return 0;
  }
  size_t count = count_entries();
  char **grown = malloc((count + 2) * sizeof *grown);
  if (!grown) return -1;
  if (count != 0) memcpy(grown, environ, count * sizeof *grown);
  grown[count] = assignment;
  grown[count + 1] = NULL;
  free(own_list);
  environ = own_list = grown;
  return 0;
}

static int is_bad_name(const char *name) { return !name || *name == 0 || strchr(name, '='); }

int setenv(const char *name, const char *value, int overwrite) {
  if (is_bad_name(name)) {
    errno = EINVAL;
    return -1;
  }
  size_t name_length = strlen(name), value_size = strlen(value) + 1;
  if (!overwrite && find(name, name_length)) return 0;
  char *assignment = malloc(name_length + 1 + value_size);
  if (!assignment) return -1;
  memcpy(assignment, name, name_length);
  assignment[name_length] = '=';
  memcpy(assignment + name_length + 1, value, value_size);
  if (remember(assignment) != 0) {
    free(assignment);
    return -1;
  }
  if (install(assignment, name_length) != 0) {
    forget(assignment);
    return -1;
  }
  return 0;
}

int unsetenv(const char *name) {
  if (is_bad_name(name)) {
    errno = EINVAL;
    return -1;
  }
  size_t length = strlen(name);
  char **entry;
  while ((entry = find(name, length))) {
    char *removed = *entry;
    do entry[0] = entry[1];
    while (*entry++);
    forget(removed);
  }
  return 0;
}

int putenv(char *assignment) {
  size_t length = (size_t)(strchrnul(assignment, '=') - assignment);
  return assignment[length] == '=' ? install(assignment, length) : unsetenv(assignment);
}

int clearenv(void) {
  while (own_count != 0) free(own_strings[--own_count]);
  free(own_list);
  own_list = NULL;
  environ = NULL;
  return 0;
}
