#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER, to = PTHREAD_MUTEX_INITIALIZER;
static int balance[2] = {100, 0};

static void pay(int amount) {
  pthread_mutex_lock(&from);
  pthread_mutex_lock(&to);
  balance[0] -= amount;
  balance[1] += amount;
  pthread_mutex_unlock(&to);
  pthread_mutex_unlock(&from);
}

static void refund(int amount) {
  pthread_mutex_lock(&from);
  pthread_mutex_lock(&to);
  balance[0] += amount;
  balance[1] -= amount;
  pthread_mutex_unlock(&to);
  pthread_mutex_unlock(&from);
}

int main(void) {
  pay(30);
  refund(10);
  return balance[1] == 20 ? EXIT_SUCCESS : EXIT_FAILURE;
}
