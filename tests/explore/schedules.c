/*
 * Errors that need a schedule: each case runs two or three threads and joins them, and only some of
 * their interleavings go wrong. `BUGGY(bug, fix)` is all that a case and its fixed twin differ in.
 */
#include "cases.h"

#include <assert.h>
#if __has_include(<klee/klee.h>)
#include <klee/klee.h>
#else /* natively */
#define klee_make_symbolic(object, bytes, name) ((void)0)
#endif
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void run_two(void *(*first)(void *), void *(*second)(void *)) {
  pthread_t a, b;
  static int numbers[2] = {0, 1};
  pthread_create(&a, NULL, first, &numbers[0]);
  pthread_create(&b, NULL, second, &numbers[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}

static int guarded;

/* Peterson's lock: who sets `turn` first has not yet said that it wants in. */
static atomic_int wants[2], turn;
static void *with_peterson(void *p) {
  const int me = *(int *)p;
  BUGGY(atomic_store(&turn, 1 - me), atomic_store(&wants[me], 1));
  BUGGY(atomic_store(&wants[me], 1), atomic_store(&turn, 1 - me));
  while (atomic_load(&wants[1 - me]) && atomic_load(&turn) != me);
  guarded++;
  atomic_store(&wants[me], 0);
  return p;
}
static void peterson(void) { run_two(with_peterson, with_peterson); }

/* Dekker's lock: looking first and saying it later lets both in. */
static atomic_int flags[2], favoured;
static void *with_dekker(void *p) {
  const int me = *(int *)p, other = 1 - me;
  BUGGY((void)0, atomic_store(&flags[me], 1));
  while (atomic_load(&flags[other])) {
    if (atomic_load(&favoured) == me) continue;
    BUGGY((void)0, atomic_store(&flags[me], 0));
    while (atomic_load(&favoured) != me && BUGGY(atomic_load(&flags[other]), 1));
    BUGGY((void)0, atomic_store(&flags[me], 1));
  }
  BUGGY(atomic_store(&flags[me], 1), (void)0);
  guarded++;
  atomic_store(&favoured, other);
  atomic_store(&flags[me], 0);
  return p;
}
static void dekker(void) { run_two(with_dekker, with_dekker); }

/*
 * A stack without locks: its top comes back while a thread looks at what lies below it. With a count
 * of the changes above the index the comparison fails.
 */
static atomic_uint top;
static atomic_uint below[4];
static atomic_int is_taken[4];
#define INDEX(word) ((word) & 0xff)
#define NEXT_WORD(old, index) BUGGY((index), (((old) + 0x100) & ~0xffu) | (index))
static unsigned pop(void) {
  unsigned old = atomic_load(&top), next;
  do {
    if (INDEX(old) == 0) return 0;
    next = atomic_load(&below[INDEX(old)]);
  } while (!atomic_compare_exchange_strong(&top, &old, NEXT_WORD(old, INDEX(next))));
  assert(atomic_fetch_add(&is_taken[INDEX(old)], 1) == 0);
  return INDEX(old);
}
static void push(unsigned index) {
  atomic_store(&is_taken[index], 0);
  unsigned old = atomic_load(&top);
  do {
    atomic_store(&below[index], INDEX(old));
  } while (!atomic_compare_exchange_strong(&top, &old, NEXT_WORD(old, index)));
}
static void *pop_one(void *p) {
  pop();
  return p;
}
static void *pop_two_and_return_one(void *p) {
  const unsigned first = pop();
  pop();
  if (first) push(first);
  return p;
}
static void aba_on_a_stack(void) {
  push(1);
  push(2);
  push(3);
  run_two(pop_one, pop_two_and_return_one);
  pop();
}

/* The owner of a queue takes tasks from one end, a thief from the other: they meet at the last. */
static atomic_int head, tail, times_run[2];
static void *own_tasks(void *p) {
  for (;;) {
    const int last = atomic_fetch_sub(&tail, 1) - 1;
    int first = atomic_load(&head);
    if (last < first) break;
    if (last == first && !BUGGY(1, atomic_compare_exchange_strong(&head, &first, first + 1))) break;
    atomic_fetch_add(&times_run[last], 1);
    if (last == first) break;
  }
  return p;
}
static void *steal_task(void *p) {
  int first = atomic_load(&head);
  if (first < atomic_load(&tail) && atomic_compare_exchange_strong(&head, &first, first + 1))
    atomic_fetch_add(&times_run[first], 1);
  return p;
}
static void work_stealing(void) {
  atomic_store(&tail, 2);
  run_two(own_tasks, steal_task);
  for (int i = 0; i < 2; i++) assert(atomic_load(&times_run[i]) <= 1);
}

/* A new version is published and the old one freed: a reader may still be in it. */
static struct version { int value; } *_Atomic latest;
static atomic_int readers;
static void *read_version(void *p) {
  BUGGY((void)0, (void)atomic_fetch_add(&readers, 1));
  const struct version *seen = atomic_load_explicit(&latest, memory_order_acquire);
  BUGGY(sched_yield(), 0);
  assert(seen->value > 0);
  BUGGY((void)0, (void)atomic_fetch_sub(&readers, 1));
  return p;
}
static void *replace_version(void *p) {
  struct version *next = malloc(sizeof *next);
  next->value = 2;
  struct version *old = atomic_exchange(&latest, next);
  BUGGY((void)0, ({ while (atomic_load(&readers) != 0); }));
  free(old);
  return p;
}
static void read_copy_update(void) {
  struct version *first = malloc(sizeof *first);
  first->value = 1;
  atomic_store(&latest, first);
  run_two(read_version, replace_version);
  free(atomic_load(&latest));
}

/* Two readers wait for each other to become the writer. */
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static int entries;
static void *find_or_add(void *p) {
  pthread_rwlock_rdlock(&table);
  const int found = entries;
  BUGGY((void)0, (void)pthread_rwlock_unlock(&table));
  if (found == 0) {
    pthread_rwlock_wrlock(&table);
    entries++;
    pthread_rwlock_unlock(&table);
  }
  BUGGY((void)pthread_rwlock_unlock(&table), (void)0);
  return p;
}
static void upgrade_of_readers(void) { run_two(find_or_add, find_or_add); }

/* Both consumers wake, and there is one item. */
static int items;
static void *consume(void *p) {
  pthread_mutex_lock(&lock);
  BUGGY(if, while) (items == 0) pthread_cond_wait(&changed, &lock);
  items--;
  assert(items >= 0);
  items++;
  items--;
  pthread_mutex_unlock(&lock);
  return p;
}
static void condition_without_loop(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, consume, NULL);
  pthread_create(&b, NULL, consume, NULL);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}

/* The flag is looked at before the lock is taken: the signal may come between. */
static atomic_int is_ready;
static void *wait_until_ready(void *p) {
  BUGGY(const int was_ready = atomic_load(&is_ready), (void)0);
  pthread_mutex_lock(&lock);
  BUGGY(if (!was_ready), while (!atomic_load(&is_ready))) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return p;
}
static void *get_ready(void *p) {
  pthread_mutex_lock(&lock);
  atomic_store(&is_ready, 1);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return p;
}
static void lost_wake_up(void) { run_two(wait_until_ready, get_ready); }

/* Both see that they are the last, or neither does. */
static atomic_int references = 2;
static int *shared;
static void *drop(void *p) {
  const int left = BUGGY((atomic_fetch_sub(&references, 1), atomic_load(&references)), atomic_fetch_sub(&references, 1) - 1);
  if (left == 0) free(shared);
  return p;
}
static void two_last_owners(void) {
  shared = malloc(sizeof *shared);
  run_two(drop, drop);
}

/* Only one input, and on it only one order, is wrong. */
static int limit;
static atomic_int level;
static void *raise_level(void *p) {
  const int seen = atomic_load(&level);
  atomic_store(&level, seen + 1);
  return p;
}
static void input_and_schedule(void) {
  klee_make_symbolic(&limit, sizeof limit, "limit");
  run_two(raise_level, raise_level);
  if (limit == 4711) assert(BUGGY(atomic_load(&level) == 2, 1));
}

/* The order of locks depends on who comes first. */
static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *dine(void *p) {
  const int left = *(int *)p, right = (left + 1) % 3;
  pthread_mutex_lock(&forks[BUGGY(left, left < right ? left : right)]);
  pthread_mutex_lock(&forks[BUGGY(right, left < right ? right : left)]);
  pthread_mutex_unlock(&forks[left]);
  pthread_mutex_unlock(&forks[right]);
  return p;
}
static void philosophers(void) {
  pthread_t threads[3];
  static int seats[3] = {0, 1, 2};
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, dine, &seats[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}

/* Sleeping is not synchronisation. */
static atomic_int was_slow;
static void *finish_late(void *p) {
  usleep(1000);
  atomic_store(&was_slow, 1);
  return p;
}
static void *hope(void *p) {
  usleep(1000000);
  BUGGY((void)0, ({ while (!atomic_load(&was_slow)) sched_yield(); }));
  assert(atomic_load(&was_slow));
  return p;
}
static void sleep_for_order(void) { run_two(finish_late, hope); }

/* A question goes one way and its answer the other; with one box for both, who asks may take its own question. */
static struct box { int content, is_full; } boxes[2];
static void put(struct box *box, int content) {
  pthread_mutex_lock(&lock);
  while (box->is_full) pthread_cond_wait(&changed, &lock);
  box->content = content, box->is_full = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}
static int take(struct box *box) {
  pthread_mutex_lock(&lock);
  while (!box->is_full) pthread_cond_wait(&changed, &lock);
  box->is_full = 0;
  const int content = box->content;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return content;
}
static void *ask(void *p) {
  put(&boxes[0], 1);
  assert(take(&boxes[BUGGY(0, 1)]) == 2);
  return p;
}
static void *answer(void *p) {
  put(&boxes[BUGGY(0, 1)], take(&boxes[0]) + 1);
  return p;
}
static void both_directions(void) { run_two(ask, answer); }

CASES(peterson, dekker, aba_on_a_stack, work_stealing, read_copy_update, upgrade_of_readers, condition_without_loop,
      lost_wake_up, two_last_owners, input_and_schedule, philosophers, sleep_for_order,
      both_directions)
