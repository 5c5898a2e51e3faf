/* Ranges: the declarations of the C library about the bytes that its raw helpers access. */
#ifndef RZ_RANGE_H
#define RZ_RANGE_H

#include "shadow.h"

void __rz_range_read(const void *p, u64 bytes);
void __rz_range_output(const void *p, u64 bytes);
u64 __rz_range_scan(const void *p, u64 bytes);
void __rz_range_write(void *p, u64 bytes);
void __rz_range_copy(void *d, const void *s, u64 bytes, int may_overlap);
/* Values of may_overlap; the second is RANGES_OVERLAP of runtime/libc/internal/engine.h. */
#define MAY_OVERLAP 1
#define RANGES_OVERLAP 2

/*
 * Instrumented code asks these first, without a frame (instrument/range-questions.ts). 1 means that
 * the range is valid and nothing is left to do; 0 that the function above must decide.
 */
u32 __rz_range_is_accessible(const void *p, u64 bytes);
u32 __rz_range_is_written(const void *p, u64 bytes);
u32 __rz_range_takes_write(void *p, u64 bytes);
u32 __rz_range_takes_copy(void *d, const void *s, u64 bytes, int may_overlap);

/*
 * The number of bytes that a store through p may change; for --keep-going, where the rest is
 * suppressed.
 */
u64 __rz_range_allowed(const void *p, u64 bytes);
/* The same for a load. */
u64 __rz_range_readable(const void *p, u64 bytes);

/* How many bytes at the start of a range lie in whole plain granules of the pointer's block. */
u32 __rz_plain_bytes(const void *p, u32 bytes);

/* Marks the bytes as written. They are accessible. */
void __rz_initialize(u32 first, u32 bytes);

/*
 * Receives a struct that is passed by value: `copy` is a local of the callee. The caller has
 * checked that it may be read.
 */
void __rz_receive(void *copy, const void *from, u64 bytes);

/* Copies the initialisation of `bytes` bytes; the ranges may overlap. */
void __rz_copy_init(u32 to, u32 from, u32 bytes);

#endif
