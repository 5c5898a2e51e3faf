#include "file.h"

static FILE standard_error = {
    .self = &standard_error,
    .functions = &__rz_fd_functions,
    .fd = 2,
    .flags = CAN_WRITE,
    .buffering = _IONBF,
};

#undef stderr
FILE *stderr = &standard_error;
