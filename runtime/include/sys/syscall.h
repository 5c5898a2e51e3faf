#ifndef _SYS_SYSCALL_H
#define _SYS_SYSCALL_H 1

#ifdef __cplusplus
extern "C" {
#endif

/* There is no kernel to call: `syscall` answers ENOSYS. */
#define SYS_gettid 186
#define SYS_getrandom 318
#define SYS_futex 202
#define __NR_gettid SYS_gettid
#define __NR_getrandom SYS_getrandom
#define __NR_futex SYS_futex

#ifdef __cplusplus
}
#endif

#endif
