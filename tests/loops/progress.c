/*
 * Loops that do not end soon, or at all, and in which no state comes back, or could be left by what
 * is outside the program: nothing may be reported. The number of the case is an input, as in
 * `endless.c`.
 */
#include <klee/klee.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Two to the power of 32 rounds. */
static void long_counter(void) {
  uint32_t i = 0;
  do i++;
  while (i != 0);
}

static int next_number(void) {
  static int number;
  return ++number & INT32_MAX;
}

/* The counter is in another function. */
static void hidden_counter(void) {
  while (next_number() != 0)
    ;
}

struct node {
  struct node *next;
};

static void growing_list(void) {
  struct node *list = NULL;
  for (;;) {
    struct node *more = malloc(sizeof *more);
    if (!more) return;
    more->next = list;
    list = more;
  }
}

/* A generator with a period of 2^32 - 1. */
static void long_period(void) {
  uint32_t x = 1;
  do {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  } while (x != 0);
}

static volatile sig_atomic_t flag;

/* What a handler sets. */
static void volatile_flag(void) {
  while (!flag)
    ;
}

/* What hardware sets, behind a pointer. */
static void volatile_register(void) {
  static int status;
  volatile int *at = &status;
  while ((*at & 1) == 0)
    ;
}

static void writes_output(void) {
  for (;;) puts("y");
}

static void writes_to_file(void) {
  FILE *file = fopen("log", "w");
  if (!file) return;
  for (;;) {
    rewind(file);
    fputs("same again", file);
    fflush(file);
  }
}

/* Two generations that follow each other, on the screen. */
static void shows_period_two(void) {
  for (int state = 0;; state = !state) {
    fputs(state ? "-|-\r" : "-+-\r", stdout);
    fflush(stdout);
  }
}

static void waits_for_time(void) {
  const time_t start = time(NULL);
  while (time(NULL) - start < 1000000)
    ;
}

static void waits_for_file(void) {
  while (access("ready", F_OK) != 0)
    ;
}

static void sleeps(void) {
  for (;;) sleep(1);
}

static void draws(void) {
  unsigned char bytes[16];
  do getentropy(bytes, sizeof bytes);
  while (memcmp(bytes, "sixteen letters!", 16) != 0);
}

static void asks_for_input(void) {
  int number;
  do klee_make_symbolic(&number, sizeof number, "number");
  while (number == 7);
}

static atomic_int is_ready;

static void *sets_flag(void *unused) {
  atomic_store(&is_ready, 1);
  return unused;
}

static void *waits_for_main(void *unused) {
  while (!atomic_load(&is_ready))
    ;
  return unused;
}

/* The thread that is created runs first here; on a machine both do. */
static void waits_for_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waits_for_main, NULL);
  atomic_store(&is_ready, 1);
  pthread_join(thread, NULL);
}

/* The thread begins when the lock is released. */
static void waits_for_thread_behind_lock(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, sets_flag, NULL);
  while (!atomic_load(&is_ready))
    ;
  pthread_mutex_unlock(&mutex);
}

/* This one runs in the call that releases the lock. */
static void thread_behind_lock_waits(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, waits_for_main, NULL);
  pthread_mutex_unlock(&mutex);
  atomic_store(&is_ready, 1);
}

static void set_ready(int signal) {
  (void)signal;
  atomic_store(&is_ready, 1);
}

/* Ctrl-C ends it. */
static void atomic_flag_of_handler(void) {
  signal(SIGINT, set_ready);
  while (!atomic_load(&is_ready))
    ;
}

static void leave(int signal) {
  (void)signal;
  _exit(0);
}

static void until_timer(void) {
  signal(SIGALRM, leave);
  alarm(1);
  for (int state = 0;; state = !state)
    ;
}

/* The bytes of a large table, one after the other, and round again with the next value. */
static void slow_change(void) {
  static unsigned char table[4096];
  for (unsigned i = 0;; i = (i + 1) % sizeof table)
    if (++table[i] == 0 && i == sizeof table - 1) return;
}

static void half_steps(void) {
  for (double step = 1; step > 0; step /= 1.0000001)
    ;
}

static void (*const cases[])(void) = {
    long_counter, hidden_counter, growing_list, long_period,    volatile_flag,    volatile_register,
    writes_output, writes_to_file, shows_period_two, waits_for_time, waits_for_file, sleeps,
    draws, asks_for_input, waits_for_thread, slow_change, half_steps,
    waits_for_thread_behind_lock, thread_behind_lock_waits, atomic_flag_of_handler, until_timer,
};

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
