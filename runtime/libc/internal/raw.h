/*
 * The loops under the hot string functions.
 *
 * A function named __rz_raw_* is not instrumented by the monitor, and an engine may replace it. Its
 * caller states to the engine (engine.h) which bytes the C standard lets it touch; the loop itself
 * only computes.
 *
 * Invariants
 *   - A raw function reads only bytes that its caller states, with three exceptions:
 *     __rz_raw_strlen, __rz_raw_memchr and __rz_raw_string_mismatch read whole words of 8 bytes,
 *     the first also whole blocks of 64, and so may see up to 63 bytes behind the text. What they
 *     read is aligned: it never crosses the end of a 64 KiB page, and with that never the end of
 *     memory. An engine that checks every access of the IR it interprets has to supply these three
 *     itself.
 *   - They write only what their names say.
 */
#ifndef RZ_RAW_H
#define RZ_RAW_H

#include <stddef.h>

size_t __rz_raw_strlen(const char *text);
size_t __rz_raw_strnlen(const char *text, size_t n);
void *__rz_raw_memchr(const void *memory, int byte, size_t n);
void __rz_raw_memmove(void *to, const void *from, size_t n);
void __rz_raw_memset(void *memory, int byte, size_t n);

/* A part of __rz_raw_strlen. */
const char *__rz_raw_block_with_zero(const char *at);

/* The offset of the first occurrence of c or of the terminating zero. */
size_t __rz_raw_strchrnul(const char *text, int c);

/* The offset of the first byte that differs, or n. */
size_t __rz_raw_mismatch(const void *a, const void *b, size_t n);

/* The offset of the first byte that differs or where both strings end, or n. */
size_t __rz_raw_string_mismatch(const char *a, const char *b, size_t n);

#endif
