/* <sys/file.h>: locks on whole files; a single process always gets them */
#ifndef _SYS_FILE_H
#define _SYS_FILE_H

#include <fcntl.h>

#ifdef __cplusplus
extern "C" {
#endif

int flock(int __fd, int __operation);

#ifdef __cplusplus
}
#endif

#endif
