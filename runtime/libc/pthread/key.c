/*
 * Values of each thread under common keys, and the destructors that clear them when a thread ends.
 */
#include "thread-state.h"

#include <errno.h>

static struct {
  int is_used;
  void (*destructor)(void *);
} keys[PTHREAD_KEYS_MAX];

/* A destructor may set values again, so the round is repeated, but not forever. */
static void run_destructors(struct __rz_thread *thread) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
    int any = 0;
    for (int key = 0; key < PTHREAD_KEYS_MAX; key++) {
      void *value = (void *)thread->values[key];
      if (!value || !keys[key].is_used || !keys[key].destructor) continue;
      thread->values[key] = 0;
      keys[key].destructor(value);
      any = 1;
    }
    if (!any) return;
  }
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  __rz_run_key_destructors = run_destructors;
  for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++) {
    if (keys[i].is_used) continue;
    keys[i].is_used = 1;
    keys[i].destructor = destructor;
    *key = i;
    return 0;
  }
  return EAGAIN;
}

int pthread_key_delete(pthread_key_t key) {
  if (key >= PTHREAD_KEYS_MAX || !keys[key].is_used) return EINVAL;
  keys[key].is_used = 0;
  keys[key].destructor = 0;
  for (struct __rz_thread *thread = __rz_find_thread(1); thread; thread = thread->next) thread->values[key] = 0;
  return 0;
}

void *pthread_getspecific(pthread_key_t key) {
  return key < PTHREAD_KEYS_MAX ? (void *)__rz_current_thread->values[key] : 0;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  if (key >= PTHREAD_KEYS_MAX || !keys[key].is_used) return EINVAL;
  __rz_current_thread->values[key] = value;
  return 0;
}
