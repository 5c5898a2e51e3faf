#include "file.h"

int fgetc(FILE *stream) { return __rz_getc(stream); }
int fgetc_unlocked(FILE *stream) { return __rz_getc(stream); }
int getc(FILE *stream) { return __rz_getc(stream); }
int getc_unlocked(FILE *stream) { return __rz_getc(stream); }
