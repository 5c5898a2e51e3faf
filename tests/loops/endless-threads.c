/*
 * Loops in which a program waits for what no other thread will do, as all others have ended. The
 * cases are selected as in `endless.c`.
 */
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

static atomic_int is_ready;

static void *worker(void *unused) {
  BUGGY(, atomic_store(&is_ready, 1));
  return unused;
}

static void run_worker(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, worker, NULL) != 0) abort();
  pthread_join(thread, NULL);
}

/* The only thread that could set it has ended. */
static void flag_of_ended_thread(void) {
  run_worker();
  while (!atomic_load(&is_ready))  //~ LOOP
    ;
}

/* It looks again and again, as another thread could have changed the value if there were one. */
static void look_under_lock(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  run_worker();
  for (int seen = 0; !seen;) {  //~ LOOP
    pthread_mutex_lock(&mutex);
    seen = is_ready;
    pthread_mutex_unlock(&mutex);
  }
}

static void look_under_spin_lock(void) {
  static pthread_spinlock_t lock;
  static int is_done;
  while (!is_done) {  //~ LOOP
    pthread_spin_lock(&lock);
    is_done = BUGGY(0, 1);
    pthread_spin_unlock(&lock);
  }
}

/* Nothing is written into the pipe any more. */
static void empty_pipe(void) {
  int ends[2];
  char byte;
  run_worker();
  if (pipe2(ends, O_NONBLOCK) != 0) abort();
  BUGGY(, if (write(ends[1], "x", 1) != 1) abort());
  while (read(ends[0], &byte, 1) < 0 && errno == EAGAIN)  //~ LOOP
    ;
}

static void (*const cases[])(void) = {flag_of_ended_thread, look_under_lock, look_under_spin_lock, empty_pipe};

int main(int argc, char **argv) {
  const int count = sizeof cases / sizeof *cases;
  int which;
  if (argc > 1) which = atoi(argv[1]);
  else klee_make_symbolic(&which, sizeof which, "which");
  for (int i = 0; i < count; i++)
    if (which == i) {
      cases[i]();
      return 0;
    }
  return 0;
}
