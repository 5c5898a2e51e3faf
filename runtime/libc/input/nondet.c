/* The inputs of SV-COMP programs: a value of each type. */
#include "input.h"

#include <redzone.h>

#define NONDET(type, name)                 \
  type __VERIFIER_nondet_##name(void) {    \
    type value;                            \
    __rz_input(&value, sizeof value, #name); \
    return value;                          \
  }

NONDET(char, char)
NONDET(signed char, schar)
NONDET(unsigned char, uchar)
NONDET(short, short)
NONDET(unsigned short, ushort)
NONDET(int, int)
NONDET(unsigned int, uint)
NONDET(unsigned int, unsigned)
NONDET(long, long)
NONDET(unsigned long, ulong)
NONDET(long long, longlong)
NONDET(unsigned long long, ulonglong)
NONDET(__int128, int128)
NONDET(unsigned __int128, uint128)
NONDET(unsigned char, u8)
NONDET(unsigned short, u16)
NONDET(unsigned int, u32)
NONDET(size_t, size_t)
NONDET(long long, loff_t)
NONDET(unsigned long, sector_t)
NONDET(unsigned long, pthread_t)
NONDET(float, float)
NONDET(double, double)
NONDET(char *, pchar)
NONDET(void *, pointer)

/* A byte is not always a _Bool. */
_Bool __VERIFIER_nondet_bool(void) {
  unsigned char byte;
  __rz_input(&byte, sizeof byte, "bool");
  return byte & 1;
}

void __VERIFIER_nondet_memory(void *object, size_t bytes) { __rz_input(object, bytes, "memory"); }
