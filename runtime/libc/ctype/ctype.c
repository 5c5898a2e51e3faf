/*
 * The classes of <ctype.h>. Plain comparisons on unsigned values: one branch each for an engine
 * that explores paths. These functions call none, not even inline ones, because each call takes a
 * slot of the monitor's call stack: so they are a few instructions that are inlined in loops.
 */
#include <ctype.h>

#define IS_BETWEEN(c, first, last) ((unsigned)(c) - (first) <= (unsigned)(last) - (first))
#define IS_DIGIT(c) IS_BETWEEN(c, '0', '9')
#define IS_LETTER(c) IS_BETWEEN((c) | 0x20, 'a', 'z')

int isdigit(int c) { return IS_DIGIT(c); }

int isupper(int c) { return IS_BETWEEN(c, 'A', 'Z'); }

int islower(int c) { return IS_BETWEEN(c, 'a', 'z'); }

int isalpha(int c) { return IS_LETTER(c); }

int isalnum(int c) { return IS_LETTER(c) | IS_DIGIT(c); }

int isxdigit(int c) { return IS_DIGIT(c) | IS_BETWEEN(c | 0x20, 'a', 'f'); }

int isblank(int c) { return (c == ' ') | (c == '\t'); }

int isspace(int c) { return (c == ' ') | IS_BETWEEN(c, '\t', '\r'); }

int iscntrl(int c) { return IS_BETWEEN(c, 0, 31) | (c == 127); }

int isprint(int c) { return IS_BETWEEN(c, ' ', '~'); }

int isgraph(int c) { return IS_BETWEEN(c, '!', '~'); }

int ispunct(int c) { return IS_BETWEEN(c, '!', '~') & !(IS_LETTER(c) | IS_DIGIT(c)); }

int tolower(int c) { return IS_BETWEEN(c, 'A', 'Z') ? c + ('a' - 'A') : c; }

int toupper(int c) { return IS_BETWEEN(c, 'a', 'z') ? c - ('a' - 'A') : c; }
