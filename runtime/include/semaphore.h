#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H 1

#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int __state;
  unsigned int __value;
} sem_t;

#define SEM_FAILED ((sem_t *)0)
#define SEM_VALUE_MAX 0x7fffffff

int sem_init(sem_t *__sem, int __shared, unsigned int __value);
int sem_destroy(sem_t *__sem);
sem_t *sem_open(const char *__name, int __flags, ...);
int sem_close(sem_t *__sem);
int sem_unlink(const char *__name);
int sem_wait(sem_t *__sem);
int sem_trywait(sem_t *__sem);
int sem_timedwait(sem_t *__restrict __sem, const struct timespec *__restrict __deadline);
int sem_post(sem_t *__sem);
int sem_getvalue(sem_t *__restrict __sem, int *__restrict __value);

#ifdef __cplusplus
}
#endif

#endif
