#include "file.h"

int putchar(int c) { return __rz_putc(c, stdout); }
int putchar_unlocked(int c) { return __rz_putc(c, stdout); }
