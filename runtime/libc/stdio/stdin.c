#include "file.h"

static unsigned char buffer[PUSHBACK + BUFSIZ];

static FILE standard_input = {
    .self = &standard_input,
    .functions = &__rz_fd_functions,
    .fd = 0,
    .flags = CAN_READ | OF_LIBRARY,
    .buffering = _IOFBF,
    .buffer = buffer,
    .capacity = sizeof buffer,
};

#undef stdin
FILE *stdin = &standard_input;
