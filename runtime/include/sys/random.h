/* <sys/random.h> */
#ifndef _SYS_RANDOM_H
#define _SYS_RANDOM_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
#define GRND_INSECURE 4

ssize_t getrandom(void *__to, size_t __n, unsigned __flags);
int getentropy(void *__to, size_t __n);

#ifdef __cplusplus
}
#endif

#endif
