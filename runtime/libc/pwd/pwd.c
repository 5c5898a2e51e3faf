/*
 * The user database: a single user, whom the environment describes.
 *
 *     USER (or LOGNAME), HOME, SHELL     default "user", "/", "/bin/sh"
 */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *from_environment(const char *name, const char *otherwise) {
  char *value = getenv(name);
  return value && *value ? value : (char *)otherwise;
}

static const struct passwd *only_user(void) {
  static struct passwd user;
  user = (struct passwd){
      .pw_name = from_environment("USER", from_environment("LOGNAME", "user")),
      .pw_passwd = "x",
      .pw_uid = getuid(),
      .pw_gid = getgid(),
      .pw_gecos = "",
      .pw_dir = from_environment("HOME", "/"),
      .pw_shell = from_environment("SHELL", "/bin/sh"),
  };
  return &user;
}

struct passwd *getpwnam(const char *name) {
  const struct passwd *user = only_user();
  return strcmp(user->pw_name, name) == 0 ? (struct passwd *)user : 0;
}

struct passwd *getpwuid(uid_t uid) {
  const struct passwd *user = only_user();
  return user->pw_uid == uid ? (struct passwd *)user : 0;
}

/* Copies a string to *at and advances *at; null if it does not fit. */
static char *place(char **at, const char *end, const char *text) {
  const size_t size = strlen(text) + 1;
  if ((size_t)(end - *at) < size) return 0;
  char *copy = memcpy(*at, text, size);
  *at += size;
  return copy;
}

static int copy_entry(const struct passwd *from, struct passwd *to, char *buffer, size_t size,
                      struct passwd **result) {
  const char *end = buffer + size;
  *result = 0;
  if (!from) return 0;
  *to = *from;
  to->pw_name = place(&buffer, end, from->pw_name);
  to->pw_passwd = to->pw_name ? place(&buffer, end, from->pw_passwd) : 0;
  to->pw_gecos = to->pw_passwd ? place(&buffer, end, from->pw_gecos) : 0;
  to->pw_dir = to->pw_gecos ? place(&buffer, end, from->pw_dir) : 0;
  to->pw_shell = to->pw_dir ? place(&buffer, end, from->pw_shell) : 0;
  if (!to->pw_shell) return ERANGE;
  *result = to;
  return 0;
}

int getpwnam_r(const char *restrict name, struct passwd *restrict entry, char *restrict buffer, size_t size,
               struct passwd **restrict result) {
  return copy_entry(getpwnam(name), entry, buffer, size, result);
}

int getpwuid_r(uid_t uid, struct passwd *restrict entry, char *restrict buffer, size_t size,
               struct passwd **restrict result) {
  return copy_entry(getpwuid(uid), entry, buffer, size, result);
}

static int is_listed;

void setpwent(void) { is_listed = 0; }
void endpwent(void) { is_listed = 0; }

struct passwd *getpwent(void) {
  if (is_listed) return 0;
  is_listed = 1;
  return (struct passwd *)only_user();
}

int putpwent(const struct passwd *restrict entry, FILE *restrict stream) {
  const int written = fprintf(stream, "%s:%s:%u:%u:%s:%s:%s\n", entry->pw_name, entry->pw_passwd, entry->pw_uid,
                              entry->pw_gid, entry->pw_gecos, entry->pw_dir, entry->pw_shell);
  return written < 0 ? -1 : 0;
}
