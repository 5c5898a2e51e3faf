/*
 * Semaphores with a name: shared by the parts of one program, for no other program can open them
 * here.
 */
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "given.h"

struct named {
  sem_t sem;              /* first: a sem_t * of ours is a struct named * */
  struct named *next;
  unsigned opened;        /* how many sem_open are not yet closed */
  int is_unlinked;
  char name[];
};

static struct named *all;

static struct named *find(const char *name) {
  for (struct named *entry = all; entry; entry = entry->next) {
    if (!entry->is_unlinked && strcmp(entry->name, name) == 0) return entry;
  }
  return 0;
}

static void drop_if_unused(struct named *entry) {
  if (entry->opened != 0 || !entry->is_unlinked) return;
  struct named **link = &all;
  while (*link != entry) link = &(*link)->next;
  *link = entry->next;
  free(entry);
}

static sem_t *fail(int error) {
  errno = error;
  return SEM_FAILED;
}

sem_t *sem_open(const char *name, int flags, ...) {
  if (name[0] != '/' || name[1] == 0) return fail(EINVAL);
  struct named *entry = find(name);
  if (entry && (flags & O_CREAT) && (flags & O_EXCL)) return fail(EEXIST);
  if (!entry) {
    if (!(flags & O_CREAT)) return fail(ENOENT);
    va_list arguments;
    va_start(arguments, flags);
    (void)va_arg(arguments, mode_t);
    const unsigned value = va_arg(arguments, unsigned);
    va_end(arguments);
    if (value > SEM_VALUE_MAX) return fail(EINVAL);
    entry = calloc(1, sizeof *entry + strlen(name) + 1);
    if (!entry) return fail(ENOMEM);
    strcpy(entry->name, name);
    sem_init(&entry->sem, 1, value);
    entry->next = all;
    all = entry;
  }
  entry->opened++;
  return &entry->sem;
}

int sem_close(sem_t *sem) {
  struct named *entry = all;
  while (entry && &entry->sem != sem) entry = entry->next;
  if (!entry || entry->opened == 0) {
    errno = EINVAL;
    return -1;
  }
  entry->opened--;
  drop_if_unused(entry);
  return 0;
}

int sem_unlink(const char *name) {
  __rz_given_text(name);
  struct named *entry = find(name);
  if (!entry) {
    errno = ENOENT;
    return -1;
  }
  entry->is_unlinked = 1;
  drop_if_unused(entry);
  return 0;
}
