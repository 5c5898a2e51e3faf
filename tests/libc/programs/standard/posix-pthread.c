/* <pthread.h> <semaphore.h> <sched.h>: what does not depend on the order in which threads run. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int counter, initialised, destroyed;

static void init(void) { initialised++; }
static void destroy(void *value) {
  pthread_mutex_lock(&mutex);
  destroyed += *(int *)value;
  pthread_mutex_unlock(&mutex);
}
static void cleanup(void *text) { printf("cleanup %s\n", (char *)text); }

static void *work(void *argument) {
  const int n = *(int *)argument;
  pthread_once(&once, init);
  pthread_setspecific(key, argument);
  for (int i = 0; i < 1000; i++) {
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
  }
  return (void *)(long)(n * 10);
}

static void *leave(void *argument) {
  pthread_cleanup_push(cleanup, "outer");
  pthread_cleanup_push(cleanup, "inner");
  pthread_exit(argument);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void *pop(void *argument) {
  pthread_cleanup_push(cleanup, "run");
  pthread_cleanup_push(cleanup, "not run");
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(1);
  return argument;
}

static void threads(void) {
  pthread_t ids[4];
  static int numbers[4] = {1, 2, 3, 4};
  pthread_key_create(&key, destroy);
  for (int i = 0; i < 4; i++) pthread_create(&ids[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 4; i++) {
    void *result;
    pthread_join(ids[i], &result);
    printf("%ld ", (long)result);
  }
  printf("%d %d %d\n", counter, initialised, destroyed);
  void *result;
  pthread_create(&ids[0], NULL, leave, "value");
  pthread_join(ids[0], &result);
  printf("%s\n", (char *)result);
  pthread_create(&ids[0], NULL, pop, "popped");
  pthread_join(ids[0], &result);
  printf("%s %d %d\n", (char *)result, pthread_equal(pthread_self(), pthread_self()) != 0, pthread_join(pthread_self(), NULL) == EDEADLK);
  printf("%p %d %d\n", pthread_getspecific(key), pthread_key_delete(key), pthread_setspecific(1000, NULL) == EINVAL);
}

static void mutexes(void) {
  pthread_mutexattr_t attr;
  pthread_mutex_t recursive, checked;
  int type;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutexattr_gettype(&attr, &type);
  pthread_mutex_init(&recursive, &attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &attr);
  pthread_mutexattr_destroy(&attr);
  printf("%d ", type == PTHREAD_MUTEX_RECURSIVE);
  printf("%d", pthread_mutex_lock(&recursive));
  printf("%d", pthread_mutex_lock(&recursive));
  printf("%d", pthread_mutex_unlock(&recursive));
  printf("%d", pthread_mutex_unlock(&recursive));
  printf("%d ", pthread_mutex_unlock(&recursive) == EPERM);
  printf("%d", pthread_mutex_lock(&checked));
  printf("%d", pthread_mutex_lock(&checked) == EDEADLK);
  printf("%d", pthread_mutex_trylock(&checked) == EBUSY);
  printf("%d", pthread_mutex_unlock(&checked));
  printf("%d ", pthread_mutex_unlock(&checked) == EPERM);
  printf("%d%d\n", pthread_mutex_destroy(&recursive), pthread_mutex_destroy(&checked));
}

static void locks(void) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  printf("%d", pthread_rwlock_rdlock(&lock));
  printf("%d", pthread_rwlock_rdlock(&lock));
  printf("%d", pthread_rwlock_trywrlock(&lock) == EBUSY);
  printf("%d", pthread_rwlock_unlock(&lock));
  printf("%d", pthread_rwlock_unlock(&lock));
  printf("%d", pthread_rwlock_wrlock(&lock));
  printf("%d", pthread_rwlock_tryrdlock(&lock) == EBUSY);
  printf("%d", pthread_rwlock_rdlock(&lock) == EDEADLK);
  printf("%d", pthread_rwlock_unlock(&lock));
  printf("%d ", pthread_rwlock_destroy(&lock));
  pthread_spinlock_t spin;
  pthread_spin_init(&spin, 0);
  printf("%d", pthread_spin_lock(&spin));
  printf("%d", pthread_spin_trylock(&spin) == EBUSY);
  printf("%d", pthread_spin_unlock(&spin));
  printf("%d ", pthread_spin_destroy(&spin));
  pthread_barrier_t barrier;
  printf("%d", pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
  printf("%d", pthread_barrier_init(&barrier, NULL, 1));
  printf("%d", pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
  printf("%d\n", pthread_barrier_destroy(&barrier));
}

static void conditions(void) {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  const struct timespec past = {1, 0};
  pthread_mutex_lock(&mutex);
  printf("%d", pthread_cond_signal(&condition));
  printf("%d", pthread_cond_broadcast(&condition));
  printf("%d", pthread_cond_timedwait(&condition, &mutex, &past) == ETIMEDOUT);
  printf("%d\n", pthread_cond_destroy(&condition));
  pthread_mutex_unlock(&mutex);
}

static void semaphores(void) {
  sem_t semaphore;
  int value;
  const struct timespec past = {1, 0};
  sem_init(&semaphore, 0, 2);
  printf("%d%d", sem_wait(&semaphore), sem_wait(&semaphore));
  printf("%d", sem_trywait(&semaphore));
  printf("%d", errno == EAGAIN);
  printf("%d", sem_timedwait(&semaphore, &past));
  printf("%d", errno == ETIMEDOUT);
  sem_post(&semaphore);
  sem_getvalue(&semaphore, &value);
  printf("%d%d\n", value, sem_destroy(&semaphore));
}

static void attributes(void) {
  pthread_attr_t attr;
  size_t size;
  int state;
  pthread_attr_init(&attr);
  pthread_attr_getdetachstate(&attr, &state);
  printf("%d ", state == PTHREAD_CREATE_JOINABLE);
  printf("%d ", pthread_attr_setstacksize(&attr, 1) == EINVAL);
  pthread_attr_setstacksize(&attr, 1 << 20);
  pthread_attr_getstacksize(&attr, &size);
  printf("%zu ", size);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_attr_getdetachstate(&attr, &state);
  printf("%d %d\n", state == PTHREAD_CREATE_DETACHED, pthread_attr_destroy(&attr));
  printf("%d %d %d\n", sched_yield(), sched_get_priority_max(SCHED_FIFO), sched_get_priority_min(SCHED_OTHER));
}

static int ends[2];

static void *write_words(void *p) {
  usleep(1000);
  for (int i = 0; i < 3; i++) {
    if (write(ends[1], "word", 4) != 4) return NULL;
    sched_yield();
  }
  close(ends[1]);
  return p;
}

static void pipes(void) {
  pthread_t writer;
  char bytes[16];
  ssize_t sum = 0, count;
  if (pipe(ends) != 0) return;
  struct pollfd reader = {.fd = ends[0], .events = POLLIN};
  printf("%d ", poll(&reader, 1, 0));
  pthread_create(&writer, NULL, write_words, NULL);
  int ready = poll(&reader, 1, -1);
  printf("%d %d ", ready, (reader.revents & POLLIN) != 0);
  while ((count = read(ends[0], bytes, sizeof bytes)) > 0) sum += count;
  printf("%zd %zd ", sum, count);
  pthread_join(writer, NULL);
  ready = poll(&reader, 1, -1);
  printf("%d %d\n", ready, reader.revents == POLLHUP);
  close(ends[0]);
}

int main(void) {
  threads();
  mutexes();
  locks();
  conditions();
  semaphores();
  attributes();
  pipes();
  return 0;
}
