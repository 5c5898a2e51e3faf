/* strnstr: strstr within the first n bytes */
#include <bsd/string.h>

char *strnstr(const char *text, const char *part, size_t n) { return memmem(text, strnlen(text, n), part, strlen(part)); }
