/* rawmemchr: the caller guarantees that the byte exists. */
#include <string.h>
#include <stdint.h>

void *rawmemchr(const void *memory, int byte) { return memchr(memory, byte, SIZE_MAX); }
