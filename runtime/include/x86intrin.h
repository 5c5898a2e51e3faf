/*
 * The intrinsics of x86 that need no vectors, and those of SSE and SSE2 (emmintrin.h). Any other is
 * an undeclared function, which the linker names.
 */
#ifndef _X86INTRIN_H
#define _X86INTRIN_H 1

#include <emmintrin.h>

unsigned long long __x86_ticks(void);

static __inline unsigned long long __rdtsc(void) { return __x86_ticks(); }
static __inline unsigned long long __rdtscp(unsigned int *__processor) {
  *__processor = 0;
  return __x86_ticks();
}
#define _rdtsc() __rdtsc()

static __inline int __popcntd(unsigned int __x) { return __builtin_popcount(__x); }
static __inline long long __popcntq(unsigned long long __x) { return __builtin_popcountll(__x); }
static __inline int _mm_popcnt_u32(unsigned int __x) { return __builtin_popcount(__x); }
static __inline long long _mm_popcnt_u64(unsigned long long __x) { return __builtin_popcountll(__x); }
static __inline unsigned int _lzcnt_u32(unsigned int __x) { return __x ? (unsigned)__builtin_clz(__x) : 32; }
static __inline unsigned long long _lzcnt_u64(unsigned long long __x) { return __x ? (unsigned)__builtin_clzll(__x) : 64; }
static __inline unsigned int _tzcnt_u32(unsigned int __x) { return __x ? (unsigned)__builtin_ctz(__x) : 32; }
static __inline unsigned long long _tzcnt_u64(unsigned long long __x) { return __x ? (unsigned)__builtin_ctzll(__x) : 64; }
static __inline int __bsfd(int __x) { return __builtin_ctz((unsigned)__x); }
static __inline int __bsrd(int __x) { return 31 - __builtin_clz((unsigned)__x); }
static __inline int _bit_scan_forward(int __x) { return __bsfd(__x); }
static __inline int _bit_scan_reverse(int __x) { return __bsrd(__x); }
static __inline int _bswap(int __x) { return (int)__builtin_bswap32((unsigned)__x); }
static __inline long long _bswap64(long long __x) { return (long long)__builtin_bswap64((unsigned long long)__x); }
static __inline unsigned int _rotl(unsigned int __x, int __n) { return __x << (__n & 31) | __x >> (-__n & 31); }
static __inline unsigned int _rotr(unsigned int __x, int __n) { return __x >> (__n & 31) | __x << (-__n & 31); }
static __inline unsigned long long _lrotl(unsigned long long __x, int __n) { return __x << (__n & 63) | __x >> (-__n & 63); }
static __inline unsigned long long _lrotr(unsigned long long __x, int __n) { return __x >> (__n & 63) | __x << (-__n & 63); }

#endif
