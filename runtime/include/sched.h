#ifndef _SCHED_H
#define _SCHED_H 1

#include <stddef.h>
#include <bits/posix-types.h>
#include <bits/timespec.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5

struct sched_param {
  int sched_priority;
};

int sched_yield(void);
int sched_get_priority_max(int __policy);
int sched_get_priority_min(int __policy);
int sched_getparam(pid_t __pid, struct sched_param *__param);
int sched_getscheduler(pid_t __pid);
int sched_rr_get_interval(pid_t __pid, struct timespec *__interval);
int sched_setparam(pid_t __pid, const struct sched_param *__param);
int sched_setscheduler(pid_t __pid, int __policy, const struct sched_param *__param);

#define CPU_SETSIZE 1024
typedef struct {
  unsigned long __bits[CPU_SETSIZE / 64];
} cpu_set_t;
#define CPU_ZERO(set) ((void)__builtin_memset((set), 0, sizeof(cpu_set_t)))
#define CPU_SET(cpu, set) ((void)((set)->__bits[(size_t)(cpu) / 64] |= 1UL << ((size_t)(cpu) % 64)))
#define CPU_CLR(cpu, set) ((void)((set)->__bits[(size_t)(cpu) / 64] &= ~(1UL << ((size_t)(cpu) % 64))))
#define CPU_ISSET(cpu, set) ((int)((set)->__bits[(size_t)(cpu) / 64] >> ((size_t)(cpu) % 64) & 1))
#define CPU_COUNT(set) __rz_cpu_count(set)
int __rz_cpu_count(const cpu_set_t *__set);
int sched_getaffinity(pid_t __pid, size_t __size, cpu_set_t *__set);
int sched_setaffinity(pid_t __pid, size_t __size, const cpu_set_t *__set);
int sched_getcpu(void);

#ifdef __cplusplus
}
#endif

#endif
