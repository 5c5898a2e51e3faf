/* index, rindex: the BSD names of strchr and strrchr */
#include <string.h>
#include <strings.h>

char *index(const char *text, int c) { return strchr(text, c); }

char *rindex(const char *text, int c) { return strrchr(text, c); }
