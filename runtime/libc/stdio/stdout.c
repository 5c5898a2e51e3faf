#include "file.h"

static unsigned char buffer[PUSHBACK + BUFSIZ];

static FILE standard_output = {
    .self = &standard_output,
    .functions = &__rz_fd_functions,
    .fd = 1,
    .flags = CAN_WRITE | ASK_TERMINAL | OF_LIBRARY,
    .buffering = _IOFBF,
    .buffer = buffer,
    .capacity = sizeof buffer,
};

#undef stdout
FILE *stdout = &standard_output;
