#ifndef _PTHREAD_H
#define _PTHREAD_H 1

#include <bits/pthread-types.h>
#include <bits/sigset.h>
#include <sched.h>
#include <bits/posix-types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *)-1)
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_STACK_MIN 16384
#define PTHREAD_KEYS_MAX 128
#define PTHREAD_DESTRUCTOR_ITERATIONS 4

#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#define PTHREAD_MUTEX_ADAPTIVE_NP 3
#define PTHREAD_MUTEX_FAST_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
#define PTHREAD_MUTEX_STALLED 0
#define PTHREAD_MUTEX_ROBUST 1
#define PTHREAD_RWLOCK_PREFER_READER_NP 0
#define PTHREAD_RWLOCK_PREFER_WRITER_NP 1
#define PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP 2

#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_INITIALIZER {PTHREAD_MUTEX_NORMAL, 0, 0, 0, 0}
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {PTHREAD_MUTEX_RECURSIVE, 0, 0, 0, 0}
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP {PTHREAD_MUTEX_ERRORCHECK, 0, 0, 0, 0}
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP {PTHREAD_MUTEX_ADAPTIVE_NP, 0, 0, 0, 0}
#define PTHREAD_COND_INITIALIZER {0, 0}
#define PTHREAD_RWLOCK_INITIALIZER {0, 0, 0}
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP PTHREAD_RWLOCK_INITIALIZER

/* Threads. */
int pthread_create(pthread_t *__restrict __id, const pthread_attr_t *__restrict __attr,
                   void *(*__start)(void *), void *__restrict __argument);
_Noreturn void pthread_exit(void *__value);
int pthread_join(pthread_t __id, void **__value);
int pthread_tryjoin_np(pthread_t __id, void **__value);
int pthread_timedjoin_np(pthread_t __id, void **__value, const struct timespec *__deadline);
int pthread_detach(pthread_t __id);
pthread_t pthread_self(void);
int pthread_equal(pthread_t __left, pthread_t __right);
int pthread_cancel(pthread_t __id);
int pthread_setcancelstate(int __state, int *__old);
int pthread_setcanceltype(int __type, int *__old);
void pthread_testcancel(void);
int pthread_kill(pthread_t __id, int __signal);
int pthread_sigmask(int __how, const sigset_t *__restrict __set, sigset_t *__restrict __old);
int pthread_atfork(void (*__prepare)(void), void (*__parent)(void), void (*__child)(void));
int pthread_getschedparam(pthread_t __id, int *__restrict __policy, struct sched_param *__restrict __param);
int pthread_setschedparam(pthread_t __id, int __policy, const struct sched_param *__param);
int pthread_setschedprio(pthread_t __id, int __priority);
int pthread_getconcurrency(void);
int pthread_setconcurrency(int __level);
int pthread_getcpuclockid(pthread_t __id, clockid_t *__clock);
int pthread_setname_np(pthread_t __id, const char *__name);
int pthread_getname_np(pthread_t __id, char *__name, size_t __size);
int pthread_getattr_np(pthread_t __id, pthread_attr_t *__attr);
int pthread_getaffinity_np(pthread_t __id, size_t __size, cpu_set_t *__set);
int pthread_setaffinity_np(pthread_t __id, size_t __size, const cpu_set_t *__set);
int pthread_yield(void);

int pthread_attr_init(pthread_attr_t *__attr);
int pthread_attr_destroy(pthread_attr_t *__attr);
int pthread_attr_getdetachstate(const pthread_attr_t *__attr, int *__state);
int pthread_attr_setdetachstate(pthread_attr_t *__attr, int __state);
int pthread_attr_getguardsize(const pthread_attr_t *__restrict __attr, size_t *__restrict __size);
int pthread_attr_setguardsize(pthread_attr_t *__attr, size_t __size);
int pthread_attr_getinheritsched(const pthread_attr_t *__restrict __attr, int *__restrict __inherit);
int pthread_attr_setinheritsched(pthread_attr_t *__attr, int __inherit);
int pthread_attr_getschedparam(const pthread_attr_t *__restrict __attr, struct sched_param *__restrict __param);
int pthread_attr_setschedparam(pthread_attr_t *__restrict __attr, const struct sched_param *__restrict __param);
int pthread_attr_getschedpolicy(const pthread_attr_t *__restrict __attr, int *__restrict __policy);
int pthread_attr_setschedpolicy(pthread_attr_t *__attr, int __policy);
int pthread_attr_getscope(const pthread_attr_t *__restrict __attr, int *__restrict __scope);
int pthread_attr_setscope(pthread_attr_t *__attr, int __scope);
int pthread_attr_getstack(const pthread_attr_t *__restrict __attr, void **__restrict __stack,
                          size_t *__restrict __size);
int pthread_attr_setstack(pthread_attr_t *__attr, void *__stack, size_t __size);
int pthread_attr_getstacksize(const pthread_attr_t *__restrict __attr, size_t *__restrict __size);
int pthread_attr_setstacksize(pthread_attr_t *__attr, size_t __size);

/* Mutexes. */
int pthread_mutex_init(pthread_mutex_t *__restrict __mutex, const pthread_mutexattr_t *__restrict __attr);
int pthread_mutex_destroy(pthread_mutex_t *__mutex);
int pthread_mutex_lock(pthread_mutex_t *__mutex);
int pthread_mutex_trylock(pthread_mutex_t *__mutex);
int pthread_mutex_timedlock(pthread_mutex_t *__restrict __mutex, const struct timespec *__restrict __deadline);
int pthread_mutex_unlock(pthread_mutex_t *__mutex);
int pthread_mutex_consistent(pthread_mutex_t *__mutex);
int pthread_mutex_getprioceiling(const pthread_mutex_t *__restrict __mutex, int *__restrict __ceiling);
int pthread_mutex_setprioceiling(pthread_mutex_t *__restrict __mutex, int __ceiling, int *__restrict __old);
int pthread_mutexattr_init(pthread_mutexattr_t *__attr);
int pthread_mutexattr_destroy(pthread_mutexattr_t *__attr);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *__restrict __attr, int *__restrict __type);
int pthread_mutexattr_settype(pthread_mutexattr_t *__attr, int __type);
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *__restrict __attr, int *__restrict __shared);
int pthread_mutexattr_setpshared(pthread_mutexattr_t *__attr, int __shared);
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *__restrict __attr, int *__restrict __protocol);
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *__attr, int __protocol);
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *__restrict __attr, int *__restrict __ceiling);
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *__attr, int __ceiling);
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *__restrict __attr, int *__restrict __robust);
int pthread_mutexattr_setrobust(pthread_mutexattr_t *__attr, int __robust);

/* Condition variables. */
int pthread_cond_init(pthread_cond_t *__restrict __cond, const pthread_condattr_t *__restrict __attr);
int pthread_cond_destroy(pthread_cond_t *__cond);
int pthread_cond_signal(pthread_cond_t *__cond);
int pthread_cond_broadcast(pthread_cond_t *__cond);
int pthread_cond_wait(pthread_cond_t *__restrict __cond, pthread_mutex_t *__restrict __mutex);
int pthread_cond_timedwait(pthread_cond_t *__restrict __cond, pthread_mutex_t *__restrict __mutex,
                           const struct timespec *__restrict __deadline);
int pthread_cond_clockwait(pthread_cond_t *__restrict __cond, pthread_mutex_t *__restrict __mutex,
                           clockid_t __clock, const struct timespec *__restrict __deadline);
int pthread_condattr_init(pthread_condattr_t *__attr);
int pthread_condattr_destroy(pthread_condattr_t *__attr);
int pthread_condattr_getclock(const pthread_condattr_t *__restrict __attr, clockid_t *__restrict __clock);
int pthread_condattr_setclock(pthread_condattr_t *__attr, clockid_t __clock);
int pthread_condattr_getpshared(const pthread_condattr_t *__restrict __attr, int *__restrict __shared);
int pthread_condattr_setpshared(pthread_condattr_t *__attr, int __shared);

/* Read-write locks. */
int pthread_rwlock_init(pthread_rwlock_t *__restrict __lock, const pthread_rwlockattr_t *__restrict __attr);
int pthread_rwlock_destroy(pthread_rwlock_t *__lock);
int pthread_rwlock_rdlock(pthread_rwlock_t *__lock);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *__lock);
int pthread_rwlock_timedrdlock(pthread_rwlock_t *__restrict __lock, const struct timespec *__restrict __deadline);
int pthread_rwlock_wrlock(pthread_rwlock_t *__lock);
int pthread_rwlock_trywrlock(pthread_rwlock_t *__lock);
int pthread_rwlock_timedwrlock(pthread_rwlock_t *__restrict __lock, const struct timespec *__restrict __deadline);
int pthread_rwlock_unlock(pthread_rwlock_t *__lock);
int pthread_rwlockattr_init(pthread_rwlockattr_t *__attr);
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *__attr);
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *__restrict __attr, int *__restrict __shared);
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *__attr, int __shared);
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *__restrict __attr, int *__restrict __kind);
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *__attr, int __kind);

/* Barriers and spin locks. */
int pthread_barrier_init(pthread_barrier_t *__restrict __barrier, const pthread_barrierattr_t *__restrict __attr,
                         unsigned int __count);
int pthread_barrier_destroy(pthread_barrier_t *__barrier);
int pthread_barrier_wait(pthread_barrier_t *__barrier);
int pthread_barrierattr_init(pthread_barrierattr_t *__attr);
int pthread_barrierattr_destroy(pthread_barrierattr_t *__attr);
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *__restrict __attr, int *__restrict __shared);
int pthread_barrierattr_setpshared(pthread_barrierattr_t *__attr, int __shared);
int pthread_spin_init(pthread_spinlock_t *__lock, int __shared);
int pthread_spin_destroy(pthread_spinlock_t *__lock);
int pthread_spin_lock(pthread_spinlock_t *__lock);
int pthread_spin_trylock(pthread_spinlock_t *__lock);
int pthread_spin_unlock(pthread_spinlock_t *__lock);

/* Once, and data of each thread. */
int pthread_once(pthread_once_t *__once, void (*__routine)(void));
int pthread_key_create(pthread_key_t *__key, void (*__destructor)(void *));
int pthread_key_delete(pthread_key_t __key);
void *pthread_getspecific(pthread_key_t __key);
int pthread_setspecific(pthread_key_t __key, const void *__value);

/* Clean-up handlers: a linked list on the stack, walked by pthread_exit. */
struct __rz_cleanup {
  void (*__routine)(void *);
  void *__argument;
  struct __rz_cleanup *__outer;
};
void __rz_cleanup_push(struct __rz_cleanup *__frame, void (*__routine)(void *), void *__argument);
void __rz_cleanup_pop(struct __rz_cleanup *__frame, int __execute);
#define pthread_cleanup_push(routine, argument) \
  do {                                          \
    struct __rz_cleanup __rz_cleanup_frame;     \
    __rz_cleanup_push(&__rz_cleanup_frame, routine, argument);
#define pthread_cleanup_pop(execute)                  \
    __rz_cleanup_pop(&__rz_cleanup_frame, (execute)); \
  }                                                   \
  while (0)

#ifdef __cplusplus
}
#endif

#endif
