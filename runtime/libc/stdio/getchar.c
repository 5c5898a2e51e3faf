#include "file.h"

int getchar(void) { return __rz_getc(stdin); }
int getchar_unlocked(void) { return __rz_getc(stdin); }
