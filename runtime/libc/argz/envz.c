/* <envz.h>: vectors of texts NAME=VALUE; a name without `=` has no value. */
#include <envz.h>
#include <stdlib.h>
#include <string.h>

static size_t name_length(const char *entry) { return strcspn(entry, "="); }

char *envz_entry(const char *restrict envz, size_t size, const char *restrict name) {
  const size_t length = name_length(name);
  for (char *entry = 0; (entry = argz_next(envz, size, entry));)
    if (name_length(entry) == length && memcmp(entry, name, length) == 0) return entry;
  return 0;
}

char *envz_get(const char *restrict envz, size_t size, const char *restrict name) {
  char *entry = envz_entry(envz, size, name);
  if (!entry) return 0;
  entry += name_length(entry);
  return *entry ? entry + 1 : 0;
}

void envz_remove(char **restrict envz, size_t *restrict size, const char *restrict name) {
  argz_delete(envz, size, envz_entry(*envz, *size, name));
}

error_t envz_add(char **restrict envz, size_t *restrict size, const char *restrict name, const char *restrict value) {
  envz_remove(envz, size, name);
  if (!value) return argz_add(envz, size, name);
  if (argz_append(envz, size, name, strlen(name)) != 0) return ENOMEM;
  if (argz_append(envz, size, "=", 1) != 0) return ENOMEM;
  return argz_add(envz, size, value);
}

error_t envz_merge(char **restrict envz, size_t *restrict size, const char *restrict other, size_t other_size, int override) {
  for (char *entry = 0; (entry = argz_next(other, other_size, entry));) {
    if (envz_entry(*envz, *size, entry)) {
      if (!override) continue;
      envz_remove(envz, size, entry);
    }
    if (argz_add(envz, size, entry) != 0) return ENOMEM;
  }
  return 0;
}

/* Removes names without a value. */
void envz_strip(char **restrict envz, size_t *restrict size) {
  for (char *entry = *envz; *size > 0 && entry < *envz + *size;) {
    if (entry[name_length(entry)]) entry += strlen(entry) + 1;
    else argz_delete(envz, size, entry);
  }
}
