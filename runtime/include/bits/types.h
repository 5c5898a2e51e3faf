/*
 * The types that several headers must define. C11 lets a typedef be repeated, so they need no guard
 * each.
 */
#ifndef _BITS_TYPES_H
#define _BITS_TYPES_H

#include <bits/decls.h>

typedef long __rz_off_t;
typedef unsigned int __rz_mode_t;
typedef int __rz_pid_t;
typedef unsigned int __rz_uid_t;
typedef unsigned int __rz_gid_t;
typedef long __rz_time_t;
typedef long __rz_suseconds_t;
typedef int __rz_clockid_t;
typedef unsigned long __rz_dev_t;
typedef unsigned long __rz_ino_t;
typedef unsigned long __rz_nlink_t;
typedef long __rz_blksize_t;
typedef long __rz_blkcnt_t;
typedef long __rz_ssize_t;

/* <stdio.h> and <wchar.h> both name it. */
typedef struct __rz_file __rz_FILE;

#endif
