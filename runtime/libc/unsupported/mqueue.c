/* mqueue.h: see unsupported.h. */
#include <mqueue.h>

#include "unsupported.h"

mqd_t mq_open(const char *name, int flags, ...) {
  (void)name, (void)flags;
  UNSUPPORTED("mq_open", ONE_PROCESS);
}

int mq_close(mqd_t queue) {
  (void)queue;
  UNSUPPORTED("mq_close", ONE_PROCESS);
}

int mq_unlink(const char *name) {
  (void)name;
  UNSUPPORTED("mq_unlink", ONE_PROCESS);
}

int mq_send(mqd_t queue, const char *message, size_t length, unsigned int priority) {
  (void)queue, (void)message, (void)length, (void)priority;
  UNSUPPORTED("mq_send", ONE_PROCESS);
}

ssize_t mq_receive(mqd_t queue, char *message, size_t length, unsigned int *priority) {
  (void)queue, (void)message, (void)length, (void)priority;
  UNSUPPORTED("mq_receive", ONE_PROCESS);
}

int mq_getattr(mqd_t queue, struct mq_attr *attributes) {
  (void)queue, (void)attributes;
  UNSUPPORTED("mq_getattr", ONE_PROCESS);
}
