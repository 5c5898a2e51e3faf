/*
 * The inner loops of the hot string functions.
 *
 * A function named __rz_raw_* is not instrumented by the monitor, and an engine may replace it. Its
 * caller states to the engine (engine.h) which bytes the C standard lets it touch; the loop itself
 * only computes.
 *
 * Invariants
 *   - A raw function reads only bytes that its caller states, with four exceptions:
 *     __rz_raw_strlen, __rz_raw_strchrnul, __rz_raw_memchr and __rz_raw_string_mismatch read whole
 *     words of 8 bytes, the first also whole blocks of 64, and so may see up to 7 bytes before the
 *     text and 63 after it. What they read is aligned, or within one page: it never crosses the
 *     end of a 64 KiB page, and so never the end of memory. An engine that checks every
 *     access of the IR it interprets has to supply these four itself.
 *   - They write only what their names say, and call only each other: they report nothing, so that
 *     no site is stored for calls of them.
 *
 * Code that computes with its own locals and tables is raw too, whatever its name: it is between
 * RZ_RAW_BEGIN and RZ_RAW_END. The code for the digits of a number is an example.
 *   - The monitor does not know the locals of raw code. So raw code passes no pointer to them to
 *     checked code, except text to store (__rz_store_own in format.h,
 *     __rz_write_own_bytes in file.h).
 *   - What raw code writes into a variable of checked code must be initialised there beforehand.
 *   - What it reads or writes of the program's memory is stated by the checked function that calls
 *     it, or by itself; it may pass the program's own pointers to checked code. The function that
 *     the program calls is checked, so that reports name it.
 */
#ifndef RZ_RAW_H
#define RZ_RAW_H

#include <stddef.h>
#include <stdint.h>

#define RZ_RAW_BEGIN \
  _Pragma("clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)")
#define RZ_RAW_END _Pragma("clang attribute pop")

/*
 * The entry from checked code to the raw code of its file. It is not inlined, because it would then
 * be checked.
 */
#define RZ_RAW_ENTRY __attribute__((noinline))

size_t __rz_raw_strlen(const char *text);
size_t __rz_raw_strnlen(const char *text, size_t n);
void *__rz_raw_memchr(const void *memory, int byte, size_t n);
void *__rz_raw_memrchr(const void *memory, int byte, size_t n);
void __rz_raw_memmove(void *to, const void *from, size_t n);
void __rz_raw_memset(void *memory, int byte, size_t n);

/* A part of __rz_raw_strlen. */
const char *__rz_raw_block_with_zero(const char *at);

/* The offset of the first occurrence of c or of the terminating zero. */
size_t __rz_raw_strchrnul(const char *text, int c);

/* Whether two ranges of n bytes do not overlap; their addresses have 32 bits. */
static inline int __rz_raw_are_apart(const void *a, const void *b, size_t n) {
  uint32_t moved = (uint32_t)(uintptr_t)a - (uint32_t)(uintptr_t)b;
  return moved >= n && -moved >= n;
}

/* The offset of the first byte that differs, or n. */
size_t __rz_raw_mismatch(const void *a, const void *b, size_t n);

/* The offset of the first byte that differs or where both strings end, or n. */
size_t __rz_raw_string_mismatch(const char *a, const char *b, size_t n);

/* The same without regard to case. */
size_t __rz_raw_case_mismatch(const char *a, const char *b, size_t n);

#endif
