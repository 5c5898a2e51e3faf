#ifndef _SYS_MSG_H
#define _SYS_MSG_H 1

#include <sys/ipc.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program is one process: calls are reported as unsupported. */
#define MSG_NOERROR 010000
struct msqid_ds {
  struct ipc_perm msg_perm;
  time_t msg_stime, msg_rtime, msg_ctime;
  unsigned long msg_qnum, msg_qbytes;
};

int msgget(key_t key, int flags);
int msgsnd(int id, const void *message, size_t size, int flags);
ssize_t msgrcv(int id, void *message, size_t size, long type, int flags);
int msgctl(int id, int command, struct msqid_ds *buffer);

#ifdef __cplusplus
}
#endif

#endif
