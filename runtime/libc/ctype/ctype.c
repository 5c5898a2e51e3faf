/*
 * The classes of <ctype.h>. Plain comparisons on unsigned values: one branch each for an engine
 * that explores paths.
 */
#include <ctype.h>

static int between(int c, unsigned first, unsigned last) { return (unsigned)c - first <= last - first; }

int isdigit(int c) { return between(c, '0', '9'); }

int isupper(int c) { return between(c, 'A', 'Z'); }

int islower(int c) { return between(c, 'a', 'z'); }

int isalpha(int c) { return between(c | 0x20, 'a', 'z'); }

int isalnum(int c) { return isalpha(c) | isdigit(c); }

int isxdigit(int c) { return isdigit(c) | between(c | 0x20, 'a', 'f'); }

int isblank(int c) { return (c == ' ') | (c == '\t'); }

int isspace(int c) { return (c == ' ') | between(c, '\t', '\r'); }

int iscntrl(int c) { return between(c, 0, 31) | (c == 127); }

int isprint(int c) { return between(c, ' ', '~'); }

int isgraph(int c) { return between(c, '!', '~'); }

int ispunct(int c) { return isgraph(c) & !isalnum(c); }

int tolower(int c) { return isupper(c) ? c + ('a' - 'A') : c; }

int toupper(int c) { return islower(c) ? c - ('a' - 'A') : c; }
