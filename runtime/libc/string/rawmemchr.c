/* rawmemchr: the byte is there, says the caller. */
#include <string.h>
#include <stdint.h>

void *rawmemchr(const void *memory, int byte) { return memchr(memory, byte, SIZE_MAX); }
