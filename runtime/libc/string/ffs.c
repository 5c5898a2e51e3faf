/* ffs, ffsl, ffsll: one plus the index of the lowest set bit, or 0. */
#include <strings.h>

int ffsll(long long value) { return value == 0 ? 0 : __builtin_ctzll((unsigned long long)value) + 1; }

int ffsl(long value) { return ffsll(value); }

int ffs(int value) { return ffsll(value); }
