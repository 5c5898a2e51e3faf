/* A header with contracts, a definition, and a macro that annotations use. */
#ifndef ACSL_HEADER_H
#define ACSL_HEADER_H

#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

#define NULL_VALUE 0
struct link { int value; struct link *next; };

/*@ requires -100 <= x <= 100;
    ensures \result == 2 * x; */
static inline int twice(int x) { return x + x; }

#endif
