/* The types that <wchar.h>, <wctype.h>, <uchar.h> and <stdio.h> share. */
#ifndef _BITS_WCHAR_TYPES_H
#define _BITS_WCHAR_TYPES_H

typedef unsigned int wint_t;
typedef unsigned long wctype_t;
typedef const int *wctrans_t;

/*
 * A multibyte character that is still incomplete: the bits so far, the number of missing bytes,
 * and the pending surrogate of a conversion to or from char16_t. All zero is the initial
 * state.
 */
typedef struct {
  unsigned int __value;
  unsigned short __missing;
  unsigned short __surrogate;
} mbstate_t;

#ifndef WEOF
#define WEOF 0xffffffffu
#endif

#endif
