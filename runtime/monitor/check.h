/* The slow paths that instrumented code calls when a tag word is not the expected one. */
#ifndef RZ_CHECK_H
#define RZ_CHECK_H

#include "shadow.h"

/*
 * An access is encoded as its size, plus this flag if its type must be aligned to it (and it is
 * not in a packed structure): the inline check takes the slow path for a misaligned address.
 */
#define MUST_BE_ALIGNED 0x80000000u

/* Bit i of the result: byte i of the access is uninitialised. At most 32 bytes. */
u64 __rz_load_slow(const void *p, u32 access, u32 site);
/* The value is used: undefined bytes are an error. */
void __rz_load_strict(const void *p, u32 access, u32 site);
/*
 * Returns the address to store to: p, or the scratch area if the store is suppressed
 * (--keep-going).
 */
void *__rz_store_slow(void *p, u32 access, u32 site);
/* The same per bit; at most 8 bytes. */
u64 __rz_load_bits(const void *p, u32 access, u32 site);
/* A store of a value with undefined bits. */
void *__rz_store_bits(void *p, u32 access, u32 site, u64 bits);
/* The undefined value that is stored or used next may have been loaded at this site. */
void __rz_maybe_loaded(u32 site);
/*
 * A value of `width` bits, some of which are undefined, is used. `origin` is the address from which
 * it was loaded, or null if it is unknown, or one of those that __rz_maybe_loaded has listed.
 */
void __rz_undefined_used(u32 width, u32 site, const void *origin, u32 origin_bytes);

/* A pointer that was in a NaN, with its whole number. */
void *__rz_unboxed(void *p);

/*
 * Whole checks, including the fast path, for functions that are so large that inline checks would
 * overwhelm the compiler.
 */
void __rz_read(const void *p, u32 access, u32 site);
u64 __rz_read_bits(const void *p, u32 access, u32 site);
void *__rz_write(void *p, u32 access, u32 site);
void *__rz_write_bits(void *p, u32 access, u32 site, u64 bits);
void __rz_use(u64 bits, u32 width, u32 site, const void *origin, u32 origin_bytes);

/*
 * Called in fast copies of loops if the tag word is not plain: tells whether the access is valid
 * and all that it reads is initialised. Writes are recorded. 0 means that the slow path must
 * decide.
 */
u32 __rz_settled_read(const void *p, u32 access);
u32 __rz_settled_write(void *p, u32 access);

/* The checks of the mode with the 1:8 shadow alone. */
void __rz_shadow_read(const void *p, u32 access, u32 site);
void *__rz_shadow_write(void *p, u32 access, u32 site);

/* The ranges of a small copy overlap. */
void __rz_overlap(u32 to, u32 from, u32 bytes, u32 site);
/*
 * The signature numbers of the functions whose address instrumented code takes
 * (src/ir/signatures.ts), by their index in the function table; 0 for unknown entries. Functions
 * beyond the table are unknown.
 */
#define SIGNATURES 16384u
extern u32 __rz_signatures[SIGNATURES];
/*
 * A call through a pointer whose signature is not the expected one. Null and a function of another
 * type are reported, and the result is 1: the call must be skipped. An unknown target is left to
 * the machine, which traps; __rz_callee then explains the trap.
 */
u32 __rz_call_slow(const void *function, u32 signature, u32 site);
/* A function is called by name with another type. */
void __rz_mismatched_call(u32 site);
/* Traps that the compiler inserted. They do not return. */
void __rz_trap(u32 site);
void __rz_lost_goto(u32 site);
void __rz_unsupported_assembly(u32 site);

#endif
