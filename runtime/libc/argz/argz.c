/* <argz.h>: vectors of texts in one block, each with its zero. */
#include <argz.h>
#include <stdlib.h>
#include <string.h>

size_t argz_count(const char *argz, size_t size) {
  size_t count = 0;
  for (const char *at = argz; at < argz + size; at += strlen(at) + 1) count++;
  return count;
}

void argz_extract(const char *restrict argz, size_t size, char **restrict arguments) {
  for (const char *at = argz; at < argz + size; at += strlen(at) + 1) *arguments++ = (char *)at;
  *arguments = 0;
}

void argz_stringify(char *argz, size_t size, int separator) {
  for (char *at = argz; at + strlen(at) + 1 < argz + size; at++) {
    at += strlen(at);
    *at = (char)separator;
  }
}

char *argz_next(const char *restrict argz, size_t size, const char *restrict entry) {
  const char *next = entry ? entry + strlen(entry) + 1 : argz;
  return next < argz + size ? (char *)next : 0;
}

error_t argz_append(char **restrict argz, size_t *restrict size, const char *restrict texts, size_t more) {
  char *grown = realloc(*argz, *size + more ? *size + more : 1);
  if (!grown) return ENOMEM;
  memcpy(grown + *size, texts, more);
  *argz = grown;
  *size += more;
  return 0;
}

error_t argz_add(char **restrict argz, size_t *restrict size, const char *restrict text) {
  return argz_append(argz, size, text, strlen(text) + 1);
}

error_t argz_create(char *const arguments[], char **restrict argz, size_t *restrict size) {
  *argz = 0;
  *size = 0;
  for (; *arguments; arguments++) {
    if (argz_add(argz, size, *arguments) == 0) continue;
    free(*argz);
    *argz = 0;
    return ENOMEM;
  }
  return 0;
}

/* Empty parts are left out, except for one at the end. */
error_t argz_add_sep(char **restrict argz, size_t *restrict size, const char *restrict text, int separator) {
  if (!*text) return 0;
  const size_t more = strlen(text) + 1;
  char *grown = realloc(*argz, *size + more);
  if (!grown) return ENOMEM;
  *argz = grown;
  for (; *text; text++) {
    if (*text != (char)separator) grown[(*size)++] = *text;
    else if (*size > 0 && grown[*size - 1]) grown[(*size)++] = 0;
  }
  grown[(*size)++] = 0;
  return 0;
}

error_t argz_create_sep(const char *restrict text, int separator, char **restrict argz, size_t *restrict size) {
  *argz = 0;
  *size = 0;
  return argz_add_sep(argz, size, text, separator);
}

/* Frees the vector with its last entry. */
void argz_delete(char **restrict argz, size_t *restrict size, char *restrict entry) {
  if (!entry) return;
  const size_t length = strlen(entry) + 1;
  *size -= length;
  memmove(entry, entry + length, (size_t)(*argz + *size - entry));
  if (*size > 0) return;
  free(*argz);
  *argz = 0;
}

error_t argz_insert(char **restrict argz, size_t *restrict size, char *restrict before, const char *restrict entry) {
  if (!before) return argz_add(argz, size, entry);
  if (before < *argz || before >= *argz + *size) return EINVAL;
  size_t at = (size_t)(before - *argz);
  while (at > 0 && (*argz)[at - 1]) at--;
  const size_t length = strlen(entry) + 1, behind = *size - at;
  char *grown = realloc(*argz, *size + length);
  if (!grown) return ENOMEM;
  memmove(grown + at + length, grown + at, behind);
  memcpy(grown + at, entry, length);
  *argz = grown;
  *size += length;
  return 0;
}

/* Appends the entry with every occurrence of the text replaced. As in glibc, it counts once. */
static error_t add_replaced(char **argz, size_t *size, const char *entry, const char *text, const char *with,
                            unsigned int *count) {
  if (count && strstr(entry, text)) ++*count;
  for (const char *found; (found = strstr(entry, text)); entry = found + strlen(text)) {
    if (argz_append(argz, size, entry, (size_t)(found - entry)) != 0) return ENOMEM;
    if (argz_append(argz, size, with, strlen(with)) != 0) return ENOMEM;
  }
  return argz_add(argz, size, entry);
}

error_t argz_replace(char **restrict argz, size_t *restrict size, const char *restrict text, const char *restrict with,
                     unsigned int *restrict count) {
  if (!*text) return 0;
  char *replaced = 0, *entry = 0;
  size_t length = 0;
  while ((entry = argz_next(*argz, *size, entry))) {
    if (add_replaced(&replaced, &length, entry, text, with, count) == 0) continue;
    free(replaced);
    return ENOMEM;
  }
  free(*argz);
  *argz = replaced;
  *size = length;
  return 0;
}
