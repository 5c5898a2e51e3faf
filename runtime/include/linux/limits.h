/* <linux/limits.h>: limits that <limits.h> leaves to sysconf are here. */
#ifndef _LINUX_LIMITS_H
#define _LINUX_LIMITS_H

#include <bits/posix-limits.h>

#undef NGROUPS_MAX
#define NGROUPS_MAX 65536
#define NR_OPEN 1024
#define ARG_MAX 131072
#define LINK_MAX 127
#define XATTR_NAME_MAX 255
#define XATTR_SIZE_MAX 65536
#define XATTR_LIST_MAX 65536

#endif
