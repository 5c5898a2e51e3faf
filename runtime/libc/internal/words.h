/*
 * Eight bytes at a time: finding a zero byte in a 64-bit word.
 *
 *   x - 0x01..01   borrows into the top bit of a byte that is 0 (or above 0x80)
 *   & ~x           drops the bytes above 0x80
 *   & 0x80..80     leaves bit 7 of each zero byte; a borrow can mark a byte that is 1, but only above a true zero byte,
 *                  and the lowest mark is the first byte in memory order, which is exact.
 */
#ifndef RZ_WORDS_H
#define RZ_WORDS_H

#include <stdint.h>

#define __RZ_LOW_BITS 0x0101010101010101u
#define __RZ_HIGH_BITS 0x8080808080808080u

static inline uint64_t __rz_zero_bytes(uint64_t word) { return (word - __RZ_LOW_BITS) & ~word & __RZ_HIGH_BITS; }

/* The index of the first marked byte of a non-zero result of __rz_zero_bytes. */
static inline unsigned __rz_first_byte(uint64_t marks) { return (unsigned)__builtin_ctzll(marks) >> 3; }

/*
 * The aligned word that the byte at p lies in, and ones for the bytes of that word before p, which
 * are ignored.
 */
static inline const char *__rz_raw_word_of(const void *p) { return (const char *)((uintptr_t)p & ~(uintptr_t)7); }
static inline uint64_t __rz_bytes_before(const void *p) { return ((uint64_t)1 << (uintptr_t)p % 8 * 8) - 1; }

/* Unaligned access without undefined behaviour: the compiler makes each a single instruction. */
static inline uint64_t __rz_raw_load64(const void *from) {
  uint64_t word;
  __builtin_memcpy(&word, from, sizeof word);
  return word;
}

static inline void __rz_raw_store64(void *to, uint64_t word) { __builtin_memcpy(to, &word, sizeof word); }

#endif
