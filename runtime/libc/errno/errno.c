/* errno. The explorer knows the variable by its name: its malloc is not written in C. */
#include <errno.h>

int __rz_errno;

int *__errno_location(void) { return &__rz_errno; }
