/* isascii, toascii */
#include <ctype.h>

int isascii(int c) { return (c & ~0x7f) == 0; }

int toascii(int c) { return c & 0x7f; }
