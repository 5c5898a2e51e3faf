/* <threads.h>: each thread is joined before the next begins, so that the order is certain everywhere. */
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int shared;

static void init(void) { puts("once"); }
static void destroy(void *value) { printf("destroy %d\n", *(int *)value); free(value); }

static int work(void *argument) {
  call_once(&once, init);
  mtx_lock(&mutex);
  shared += *(int *)argument;
  mtx_unlock(&mutex);
  int *mine = malloc(sizeof *mine);
  *mine = *(int *)argument;
  tss_set(key, mine);
  printf("thread %d sees %d\n", *(int *)argument, *(int *)tss_get(key));
  if (*(int *)argument == 3) thrd_exit(33);
  return *(int *)argument * 2;
}

static cnd_t done;

static int signals(void *argument) {
  mtx_lock(&mutex);
  *(int *)argument = 1;
  puts("signals");
  cnd_signal(&done);
  mtx_unlock(&mutex);
  return 0;
}

/* The thread cannot continue before the mutex is released, and that is inside cnd_wait. */
static void wait_for_signal(void) {
  thrd_t thread;
  int is_done = 0;
  cnd_init(&done);
  mtx_lock(&mutex);
  thrd_create(&thread, signals, &is_done);
  puts("waits");
  while (!is_done) printf("%d\n", cnd_wait(&done, &mutex) == thrd_success);
  puts("goes on");
  mtx_unlock(&mutex);
  thrd_join(thread, NULL);
  cnd_destroy(&done);
}

static int nothing_to_do(void *argument) { return argument != NULL; }

int main(void) {
  printf("%d\n", mtx_init(&mutex, mtx_plain) == thrd_success);
  printf("%d\n", tss_create(&key, destroy) == thrd_success);
  for (int i = 1; i <= 3; i++) {
    thrd_t thread;
    int result = 0;
    const int created = thrd_create(&thread, work, &i);
    const int joined = thrd_join(thread, &result);
    printf("%d %d %d %d\n", created == thrd_success, joined == thrd_success, result, shared);
  }
  call_once(&once, init);
  mtx_t recursive;
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  mtx_lock(&recursive);
  printf("%d\n", mtx_trylock(&recursive) == thrd_success);
  mtx_unlock(&recursive);
  mtx_unlock(&recursive);
  mtx_destroy(&recursive);
  mtx_t timed;
  mtx_init(&timed, mtx_timed);
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  printf("%d\n", mtx_timedlock(&timed, &now) == thrd_success);
  printf("%d\n", mtx_trylock(&timed) == thrd_busy);
  cnd_t condition;
  printf("%d\n", cnd_init(&condition) == thrd_success);
  printf("%d %d\n", cnd_signal(&condition) == thrd_success, cnd_broadcast(&condition) == thrd_success);
  printf("%d\n", cnd_timedwait(&condition, &timed, &now) == thrd_timedout);
  mtx_unlock(&timed);
  cnd_destroy(&condition);
  mtx_destroy(&timed);
  wait_for_signal();
  mtx_destroy(&mutex);
  printf("%d %p\n", thrd_equal(thrd_current(), thrd_current()), tss_get(key));
  thrd_yield();
  const struct timespec nothing = {0, 1000};
  printf("%d\n", thrd_sleep(&nothing, NULL));
  thrd_t alone;
  printf("%d\n", thrd_create(&alone, nothing_to_do, NULL) == thrd_success);
  printf("%d\n", thrd_detach(alone) == thrd_success);
  tss_delete(key);
  return 0;
}
