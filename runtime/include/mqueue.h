#ifndef _MQUEUE_H
#define _MQUEUE_H 1

#include <fcntl.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program is one process: calls are reported as unsupported. */
typedef int mqd_t;
struct mq_attr {
  long mq_flags, mq_maxmsg, mq_msgsize, mq_curmsgs;
};

mqd_t mq_open(const char *name, int flags, ...);
int mq_close(mqd_t queue);
int mq_unlink(const char *name);
int mq_send(mqd_t queue, const char *message, size_t length, unsigned int priority);
ssize_t mq_receive(mqd_t queue, char *message, size_t length, unsigned int *priority);
int mq_getattr(mqd_t queue, struct mq_attr *attributes);

#ifdef __cplusplus
}
#endif

#endif
