/* Short names for the integers that the monitor's memory is made of. */
#ifndef RZ_INTEGERS_H
#define RZ_INTEGERS_H

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long u64;

#endif
