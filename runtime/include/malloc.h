/* <malloc.h>: the allocator's functions beyond <stdlib.h>. */
#ifndef _MALLOC_H
#define _MALLOC_H

#include <stdlib.h>

size_t malloc_usable_size(void *__block);

#endif
