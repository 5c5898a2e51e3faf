/* Two threads count; without FIXED they forget to lock. */
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 10
#endif

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
  for (int i = 0; i < ROUNDS; i++) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    counter++;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, count, NULL);
  pthread_create(&second, NULL, count, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return counter != 2 * ROUNDS || pthread_mutex_destroy(&lock) != 0;
}
