/* C11 mutexes, condition variables, call_once and thread-specific storage, built on POSIX's. */
#include <errno.h>
#include <pthread.h>
#include <threads.h>

static int outcome(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

int mtx_init(mtx_t *mutex, int type) {
  if (type & ~(mtx_recursive | mtx_timed)) return thrd_error;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return outcome(pthread_mutex_init(mutex, &attr));
}

void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy(mutex); }
int mtx_lock(mtx_t *mutex) { return outcome(pthread_mutex_lock(mutex)); }
int mtx_trylock(mtx_t *mutex) { return outcome(pthread_mutex_trylock(mutex)); }
int mtx_unlock(mtx_t *mutex) { return outcome(pthread_mutex_unlock(mutex)); }

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline) {
  return outcome(pthread_mutex_timedlock(mutex, deadline));
}

int cnd_init(cnd_t *cond) { return outcome(pthread_cond_init(cond, 0)); }
void cnd_destroy(cnd_t *cond) { pthread_cond_destroy(cond); }
int cnd_signal(cnd_t *cond) { return outcome(pthread_cond_signal(cond)); }
int cnd_broadcast(cnd_t *cond) { return outcome(pthread_cond_broadcast(cond)); }
int cnd_wait(cnd_t *cond, mtx_t *mutex) { return outcome(pthread_cond_wait(cond, mutex)); }

int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex, const struct timespec *restrict deadline) {
  return outcome(pthread_cond_timedwait(cond, mutex, deadline));
}

void call_once(once_flag *flag, void (*routine)(void)) { pthread_once(flag, routine); }

int tss_create(tss_t *key, tss_dtor_t destructor) { return outcome(pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) { return outcome(pthread_setspecific(key, value)); }
