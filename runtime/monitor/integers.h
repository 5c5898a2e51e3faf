/* Short names for the integer types of the monitor. */
#ifndef RZ_INTEGERS_H
#define RZ_INTEGERS_H

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long u64;

#endif
