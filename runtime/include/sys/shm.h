#ifndef _SYS_SHM_H
#define _SYS_SHM_H 1

#include <sys/ipc.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program is one process: calls are reported as unsupported. */
#define SHM_RDONLY 010000
#define SHM_RND 020000
typedef unsigned long shmatt_t;

struct shmid_ds {
  struct ipc_perm shm_perm;
  size_t shm_segsz;
  time_t shm_atime, shm_dtime, shm_ctime;
  pid_t shm_cpid, shm_lpid;
  shmatt_t shm_nattch;
};

int shmget(key_t key, size_t size, int flags);
void *shmat(int id, const void *address, int flags);
int shmdt(const void *address);
int shmctl(int id, int command, struct shmid_ds *buffer);

#ifdef __cplusplus
}
#endif

#endif
