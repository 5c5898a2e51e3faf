#ifndef _SYS_SEM_H
#define _SYS_SEM_H 1

#include <sys/ipc.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program is one process: calls are reported as unsupported. */
#define SEM_UNDO 0x1000
#define GETVAL 12
#define SETVAL 16
#define SETALL 17
struct sembuf {
  unsigned short sem_num;
  short sem_op, sem_flg;
};

int semget(key_t key, int count, int flags);
int semop(int id, struct sembuf *operations, size_t count);
int semctl(int id, int number, int command, ...);

#ifdef __cplusplus
}
#endif

#endif
