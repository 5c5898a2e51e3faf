/*
 * The types of <sys/types.h> for all headers that need one of them. The unsigned types of
 * <stdint.h> are not among them: programs without it define them.
 */
#ifndef _BITS_POSIX_TYPES_H
#define _BITS_POSIX_TYPES_H

#include <bits/types.h>
#include <stddef.h>

typedef __rz_ssize_t ssize_t;
typedef __rz_off_t off_t;
typedef __rz_off_t off64_t;
typedef __rz_off_t loff_t;
typedef __rz_mode_t mode_t;
typedef __rz_pid_t pid_t;
typedef __rz_uid_t uid_t;
typedef __rz_gid_t gid_t;
typedef unsigned int id_t;
typedef __rz_dev_t dev_t;
typedef __rz_ino_t ino_t;
typedef __rz_ino_t ino64_t;
typedef __rz_nlink_t nlink_t;
typedef __rz_blksize_t blksize_t;
typedef __rz_blkcnt_t blkcnt_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
typedef __rz_time_t time_t;
typedef __rz_suseconds_t suseconds_t;
typedef unsigned int useconds_t;
typedef __rz_clockid_t clockid_t;
typedef void *timer_t;
typedef long clock_t;
typedef int key_t;
typedef char *caddr_t;

typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef long quad_t;
typedef unsigned long u_quad_t;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
typedef unsigned long u_int64_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef long register_t;

#endif
