#ifndef SANITIZER_DFSAN_INTERFACE_H
#define SANITIZER_DFSAN_INTERFACE_H 1

/* The functions of DataFlowSanitizer are declared beside those that they are aliases of. */
#include <redzone.h>

#endif
