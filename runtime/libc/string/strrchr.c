/* strrchr */
#include <string.h>

char *strrchr(const char *text, int c) { return memrchr(text, c, strlen(text) + 1); }
