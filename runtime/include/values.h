/* <values.h>: the names that <limits.h> and <float.h> had before the standard. */
#ifndef _VALUES_H
#define _VALUES_H

#include <float.h>
#include <limits.h>
#include <math.h>

#define CHARBITS CHAR_BIT
#define SHORTBITS 16
#define INTBITS 32
#define LONGBITS 64
#define MAXSHORT SHRT_MAX
#define MAXINT INT_MAX
#define MAXLONG LONG_MAX
#define MINSHORT SHRT_MIN
#define MININT INT_MIN
#define MINLONG LONG_MIN
#define MAXDOUBLE DBL_MAX
#define MINDOUBLE DBL_MIN
#define MINFLOAT FLT_MIN

#endif
