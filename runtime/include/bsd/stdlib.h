/*
 * <bsd/stdlib.h> of libbsd: functions that glibc does not have. They are not in <stdlib.h>, since
 * programs define functions of these names with other parameters.
 */
#ifndef _BSD_STDLIB_H
#define _BSD_STDLIB_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

int heapsort(void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *));
int mergesort(void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *));
const char *getprogname(void);
void setprogname(const char *__name);

#ifdef __cplusplus
}
#endif

#endif
