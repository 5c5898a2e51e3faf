/* mempcpy, bcopy */
#include <string.h>

void *mempcpy(void *restrict to, const void *restrict from, size_t n) { return (char *)memcpy(to, from, n) + n; }

void bcopy(const void *from, void *to, size_t n) { memmove(to, from, n); }
