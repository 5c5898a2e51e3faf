#ifndef _SYS_SYSMACROS_H
#define _SYS_SYSMACROS_H 1

#include <bits/posix-types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define major(device) ((unsigned int)(((device) >> 8) & 0xfff))
#define minor(device) ((unsigned int)(((device) & 0xff) | (((device) >> 12) & ~0xffu)))
#define makedev(major, minor) ((dev_t)(((major) << 8) | ((minor) & 0xff) | (((minor) & ~0xffu) << 12)))

#ifdef __cplusplus
}
#endif

#endif
