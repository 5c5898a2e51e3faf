#include "file.h"

int fputc(int c, FILE *stream) { return __rz_putc(c, stream); }
int fputc_unlocked(int c, FILE *stream) { return __rz_putc(c, stream); }

int putc(int c, FILE *stream) { return __rz_putc(c, stream); }
int putc_unlocked(int c, FILE *stream) { return __rz_putc(c, stream); }
