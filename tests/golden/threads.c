// engines: check
// cases: 25
// What textbooks warn of: each case runs two threads and joins them.
#include "cases.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile int sink;
static void use(long value) {
  volatile long seen = value;
  (void)seen;
}

static void run_two(void *(*first)(void *), void *(*second)(void *)) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}

/* The second begins when the first has ended, which nothing orders all the same: it is seen by a relaxed load. */
static atomic_int is_first_done;
static void *(*first_of_two)(void *), *(*second_of_two)(void *);
static void *run_first(void *p) {
  first_of_two(p);
  atomic_store_explicit(&is_first_done, 1, memory_order_relaxed);
  return p;
}
static void *run_second(void *p) {
  while (!atomic_load_explicit(&is_first_done, memory_order_relaxed)) sched_yield();
  return second_of_two(p);
}
static void run_in_turn(void *(*first)(void *), void *(*second)(void *)) {
  first_of_two = first, second_of_two = second;
  atomic_store(&is_first_done, 0);
  run_two(run_first, run_second);
}

/* Two threads count without a lock. */
static int updates;
static void *update(void *p) {
  BUGGY((void)0, pthread_mutex_lock(&lock));
  updates++; //~ ERROR data-race
  BUGGY((void)0, pthread_mutex_unlock(&lock));
  return p;
}
static void lost_update(void) { run_in_turn(update, update); }

/* The pointer is read outside the lock that it is written in. */
static struct config { int value; } *instance;
static struct config the_config;
static void *get_instance(void *p) {
  BUGGY((void)0, pthread_mutex_lock(&lock));
  struct config *found = instance; //~ ERROR data-race
  BUGGY((void)0, pthread_mutex_unlock(&lock));
  if (!found) {
    pthread_mutex_lock(&lock);
    if (!instance) {
      the_config.value = 42;
      instance = &the_config;
    }
    found = instance;
    pthread_mutex_unlock(&lock);
  }
  return p;
}
static void double_checked_locking(void) { run_in_turn(get_instance, get_instance); }

/* Data behind a flag that orders nothing. */
static int message;
static atomic_int is_published;
static void *publish(void *p) {
  message = 7;
  atomic_store_explicit(&is_published, 1, BUGGY(memory_order_relaxed, memory_order_release));
  return p;
}
static void *receive(void *p) {
  while (!atomic_load_explicit(&is_published, BUGGY(memory_order_relaxed, memory_order_acquire))) thrd_yield();
  sink = message; //~ ERROR data-race
  return p;
}
static void publication_without_release(void) { run_two(publish, receive); }

/* A spin lock whose unlock orders nothing. */
static atomic_flag spin = ATOMIC_FLAG_INIT;
static int guarded;
static void *with_spin_lock(void *p) {
  while (atomic_flag_test_and_set_explicit(&spin, memory_order_acquire)) sched_yield();
  guarded++; //~ ERROR data-race
  atomic_flag_clear_explicit(&spin, BUGGY(memory_order_relaxed, memory_order_release));
  return p;
}
static void broken_spin_lock(void) { run_in_turn(with_spin_lock, with_spin_lock); }

/* A reader writes. */
static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static int lookups;
static void *look_up(void *p) {
  BUGGY(pthread_rwlock_rdlock, pthread_rwlock_wrlock)(&table_lock);
  lookups++; //~ ERROR data-race
  pthread_rwlock_unlock(&table_lock);
  return p;
}
static void reader_that_writes(void) { run_in_turn(look_up, look_up); }

/* The result is read before the thread is joined. */
static int result;
static void *compute(void *p) {
  result = 42;
  return p;
}
static void use_before_join(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, compute, NULL);
  BUGGY(sched_yield(), pthread_join(thread, NULL));
  sink = result; //~ ERROR data-race
  BUGGY(pthread_join(thread, NULL), 0);
}

/* A flag that only looks atomic. */
static BUGGY(volatile, _Atomic) int stop;
static void *set_stop(void *p) {
  stop = 1; //~ ERROR data-race
  return p;
}
static void *read_stop(void *p) {
  sink = stop;
  return p;
}
static void volatile_flag(void) { run_in_turn(read_stop, set_stop); }

/* A ring for one writer and one reader. */
static int slots[4];
static atomic_uint written, taken;
static void *write_ring(void *p) {
  for (int i = 0; i < 8; i++) {
    unsigned at = atomic_load_explicit(&written, memory_order_relaxed);
    while (at - atomic_load_explicit(&taken, memory_order_acquire) == 4) sched_yield();
    slots[at % 4] = i;
    atomic_store_explicit(&written, at + 1, BUGGY(memory_order_relaxed, memory_order_release));
  }
  return p;
}
static void *read_ring(void *p) {
  for (int i = 0; i < 8; i++) {
    unsigned at = atomic_load_explicit(&taken, memory_order_relaxed);
    while (atomic_load_explicit(&written, memory_order_acquire) == at) sched_yield();
    sink = slots[at % 4]; //~ ERROR data-race
    atomic_store_explicit(&taken, at + 1, memory_order_release);
  }
  return p;
}
static void ring_buffer(void) { run_two(write_ring, read_ring); }

/* A block is freed while another thread reads it. */
static int *block;
static sem_t was_read;
static void *read_block(void *p) {
  sink = *block;
  BUGGY((void)0, sem_post(&was_read));
  return p;
}
static void *free_block(void *p) {
  BUGGY(sched_yield(), sem_wait(&was_read));
  free(block); //~ ERROR data-race
  return p;
}
static void free_beside_a_reader(void) {
  sem_init(&was_read, 0, 0);
  block = malloc(sizeof *block);
  *block = 1;
  run_in_turn(read_block, free_block);
}

/* Both phases of a barrier use the same cell. */
static pthread_barrier_t phase;
static int cell;
static void *in_phases(void *p) {
  const int is_last = pthread_barrier_wait(&phase) == PTHREAD_BARRIER_SERIAL_THREAD;
  if (BUGGY(0, is_last)) cell = 1;
  BUGGY(0, pthread_barrier_wait(&phase));
  const long seen = BUGGY(is_last, 0) ? (cell = 1) : cell; //~ ERROR data-race
  return seen == 1 ? p : NULL;
}
static void barrier_phases(void) {
  pthread_barrier_init(&phase, NULL, 2);
  run_two(in_phases, in_phases);
  pthread_barrier_destroy(&phase);
}

/* memset is an access, too. */
static char buffer[64];
static void *clear_buffer(void *p) {
  BUGGY((void)0, pthread_mutex_lock(&lock));
  memset(buffer, 0, sizeof buffer); //~ ERROR data-race
  BUGGY((void)0, pthread_mutex_unlock(&lock));
  return p;
}
static void *fill_buffer(void *p) {
  BUGGY((void)0, pthread_mutex_lock(&lock));
  buffer[7] = 1;
  BUGGY((void)0, pthread_mutex_unlock(&lock));
  return p;
}
static void library_writes(void) { run_in_turn(fill_buffer, clear_buffer); }

/* A local of main that outlives nothing it should. */
static void *increment(void *local) {
  ++*(int *)local;
  return local;
}
static void local_of_the_creator(void) {
  pthread_t thread;
  int local = 0;
  pthread_create(&thread, NULL, increment, &local);
  BUGGY(sched_yield(), pthread_join(thread, NULL));
  local++; //~ ERROR data-race
  BUGGY(pthread_join(thread, NULL), 0);
}

/* Two locks for one variable. */
static pthread_mutex_t other_lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;
static void *deposit(void *p) {
  pthread_mutex_lock(&lock);
  balance++;
  pthread_mutex_unlock(&lock);
  return p;
}
static void *withdraw(void *p) {
  pthread_mutex_lock(BUGGY(&other_lock, &lock));
  balance--; //~ ERROR data-race
  pthread_mutex_unlock(BUGGY(&other_lock, &lock));
  return p;
}
static void wrong_lock(void) { run_in_turn(deposit, withdraw); }

/* A thread that is never joined. */
static void *end_at_once(void *p) { return p; }
static void leaked_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, end_at_once, NULL); //~ ERROR memory-leak
  BUGGY(0, pthread_join(thread, NULL));
}

/* errno, thread-local storage, producers and consumers, once and timed waits are right; bytes are shared that should be neighbours. */
static _Thread_local int own = 3;
static char neighbours[8];
static int queue[4], queued, consumed;
static once_flag once = ONCE_FLAG_INIT;
static void initialise(void) { neighbours[7] = 1; }
static void set_neighbour(int i) {
  neighbours[i] = 1; //~ ERROR data-race
}
static void *produce(void *p) {
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock(&lock);
    while (queued == 4) pthread_cond_wait(&changed, &lock);
    queue[queued++] = i;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  errno = 5, own += 5;
  set_neighbour(2);
  call_once(&once, initialise);
  return p;
}
static void *consume(void *p) {
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock(&lock);
    while (queued == 0) pthread_cond_wait(&changed, &lock);
    consumed += queue[--queued];
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  errno = 6, own += 6;
  set_neighbour(BUGGY(2, 3));
  call_once(&once, initialise);
  return p;
}
static void neighbours_and_queues(void) {
  run_two(produce, consume);
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec++;
  pthread_mutex_lock(&lock);
  int late = pthread_cond_timedwait(&changed, &lock, &soon);
  pthread_mutex_unlock(&lock);
  if (consumed != 45 || own != 3 || late != ETIMEDOUT) abort();
}

/* What went wrong last, for all threads together. */
static int last_error;
static void *fail(void *p) {
  BUGGY(last_error, errno) = 2; //~ ERROR data-race
  use(BUGGY(last_error, errno));
  return p;
}
static void error_of_all_threads(void) { run_in_turn(fail, fail); }

/* A function with a static buffer. */
static char *text_of(int number) {
  static BUGGY(, _Thread_local) char text[12];
  snprintf(text, sizeof text, "%d", number); //~ ERROR data-race
  return text;
}
static void *use_text(void *p) { return text_of(7)[0] == '7' ? p : NULL; }
static void buffer_of_all_threads(void) { run_in_turn(use_text, use_text); }

/* What a signal handler may set, another thread may not read. */
static BUGGY(volatile sig_atomic_t, atomic_int) was_interrupted;
static void note_signal(int number) { was_interrupted = number; }
static void *get_signal(void *p) {
  signal(SIGUSR1, note_signal);
  raise(SIGUSR1);
  return p;
}
static void *look_for_signal(void *p) {
  sink = was_interrupted; //~ ERROR data-race
  return p;
}
static void flag_of_a_handler(void) { run_in_turn(get_signal, look_for_signal); }

/* A thread returns its own local. */
static void *return_local(void *p) {
  int local = 7;
  *(int *)p = local;
  void *volatile result = BUGGY(&local, p);
  return result;
}
static void use_after_join(void) {
  pthread_t thread;
  int kept = 0;
  void *value;
  pthread_create(&thread, NULL, return_local, &kept);
  pthread_join(thread, &value);
  sink = *(int *)value; //~ ERROR use-after-return
}

/* The second thread finds the object of the first, by a failed compare-exchange. */
static struct config *_Atomic published;
static struct config candidates[2];
static void *publish_or_find(struct config *own) {
  struct config *found = NULL;
  own->value = 1;
  if (atomic_compare_exchange_strong_explicit(&published, &found, own, memory_order_release,
                                              BUGGY(memory_order_relaxed, memory_order_acquire)))
    found = own;
  use(found->value); //~ ERROR data-race
  return own;
}
static void *publish_first(void *p) { return publish_or_find(&candidates[0]) ? p : NULL; }
static void *publish_second(void *p) { return publish_or_find(&candidates[1]) ? p : NULL; }
static void order_of_a_failed_exchange(void) { run_in_turn(publish_first, publish_second); }

/* A release sequence continues with stores of its own thread and any read-modify-write, not with stores of others. */
static atomic_int progress;
static int product;
static void *make_product(void *p) {
  product = 1;
  atomic_store_explicit(&progress, 1, memory_order_release);
  atomic_store_explicit(&progress, 2, memory_order_relaxed);
  return p;
}
static void *take_product(void *p) {
  BUGGY(atomic_store_explicit(&progress, 3, memory_order_relaxed),
        (void)atomic_fetch_add_explicit(&progress, 1, memory_order_relaxed));
  if (atomic_load_explicit(&progress, memory_order_acquire) == 3) use(product); //~ ERROR data-race
  return p;
}
static void release_sequence(void) { run_in_turn(make_product, take_product); }

/* A fence for signal handlers is none for threads. */
static atomic_int is_sent;
static int letter;
static void *send_letter(void *p) {
  letter = 1;
  BUGGY(atomic_signal_fence, atomic_thread_fence)(memory_order_release);
  atomic_store_explicit(&is_sent, 1, memory_order_relaxed);
  return p;
}
static void *get_letter(void *p) {
  while (!atomic_load_explicit(&is_sent, memory_order_relaxed)) sched_yield();
  atomic_thread_fence(memory_order_acquire);
  use(letter); //~ ERROR data-race
  return p;
}
static void fences(void) { run_two(send_letter, get_letter); }

/* An atomic object of three words. */
static struct range { long begin, end, step; } _Atomic range;
static int limit;
static void *set_range(void *p) {
  limit = 9;
  const struct range made = {1, 9, 2};
  atomic_store_explicit(&range, made, BUGGY(memory_order_relaxed, memory_order_release));
  return p;
}
static void *use_range(void *p) {
  struct range seen;
  while (seen = atomic_load_explicit(&range, memory_order_acquire), seen.step == 0) sched_yield();
  if (seen.end != limit) abort(); //~ ERROR data-race
  return p;
}
static void wide_atomics(void) { run_two(set_range, use_range); }

/* The caller continues when the job is done, and its variable ends while the thread still writes to it. */
struct job {
  sem_t done;
  int state;
};
static void *do_job(void *p) {
  struct job *job = p;
  BUGGY((void)0, job->state = 2);
  sem_post(&job->done);
  BUGGY(job->state = 2, (void)0);
  return NULL;
}
static void have_it_done(void) {
  struct job job = {.state = 1};
  pthread_t thread;
  sem_init(&job.done, 0, 0);
  pthread_create(&thread, NULL, do_job, &job);
  pthread_detach(thread);
  sem_wait(&job.done); //~ ERROR data-race
}
static void end_of_a_local(void) { have_it_done(); }

/* A byte in a pipe says that the parcel is there. */
static int ends[2], parcel;
static void *send_parcel(void *p) {
  BUGGY((void)0, parcel = 1);
  if (write(ends[1], "", 1) != 1) abort();
  BUGGY(parcel = 1, (void)0);
  return p;
}
static void *await_parcel(void *p) {
  char byte;
  if (read(ends[0], &byte, 1) != 1) abort();
  use(parcel); //~ ERROR data-race
  return p;
}
static void pipes(void) {
  if (pipe(ends) != 0) abort();
  run_two(await_parcel, send_parcel);
  close(ends[0]);
  close(ends[1]);
}

CASES(lost_update, double_checked_locking, publication_without_release, broken_spin_lock,
      reader_that_writes, use_before_join, volatile_flag, ring_buffer, free_beside_a_reader,
      barrier_phases, library_writes, local_of_the_creator, wrong_lock, leaked_thread, neighbours_and_queues,
      error_of_all_threads, buffer_of_all_threads, flag_of_a_handler, use_after_join, order_of_a_failed_exchange,
      release_sequence, fences, wide_atomics, end_of_a_local, pipes)
