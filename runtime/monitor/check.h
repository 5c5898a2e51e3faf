/* The slow paths that instrumented code calls when a tag word is not the expected one. */
#ifndef RZ_CHECK_H
#define RZ_CHECK_H

#include "shadow.h"

/*
 * An access is told as its bytes, plus this if its type must be aligned to them (and it is no
 * member of a packed structure): the inline check takes the slow path for an address that is not.
 */
#define MUST_BE_ALIGNED 0x80000000u

/* Bit i of the result: byte i of the access was never written. At most 32 bytes. */
u64 __rz_load_slow(const void *p, u32 access, u32 site);
/* The value is needed: undefined bytes are an error. */
void __rz_load_strict(const void *p, u32 access, u32 site);
/* Returns where to store: p, or the scratch area when the store is suppressed (--keep-going). */
void *__rz_store_slow(void *p, u32 access, u32 site);
/* The same to the bit; at most 8 bytes. */
u64 __rz_load_bits(const void *p, u32 access, u32 site);
/* A store of a value some of whose bits are undefined. */
void *__rz_store_bits(void *p, u32 access, u32 site, u64 bits);
/*
 * A value of `width` bits, some of which are undefined, decides something. `origin` is where it was
 * loaded from, null when that is not known.
 */
void __rz_undefined_used(u32 width, u32 site, const void *origin, u32 origin_bytes);

/*
 * Whole checks, the quick question included, for functions that are so large that a check of
 * several instructions and blocks at each access is more than the compiler can cope with.
 */
void __rz_read(const void *p, u32 access, u32 site);
u64 __rz_read_bits(const void *p, u32 access, u32 site);
void *__rz_write(void *p, u32 access, u32 site);
void *__rz_write_bits(void *p, u32 access, u32 site, u64 bits);
void __rz_use(u64 bits, u32 width, u32 site, const void *origin, u32 origin_bytes);

/*
 * Asked in fast copies of loops where the tag word is not plain: is the access right, and all that
 * it reads written? What it writes is noted. 0 says nothing: the slow path is to decide.
 */
u32 __rz_settled_read(const void *p, u32 access);
u32 __rz_settled_write(void *p, u32 access);

/* The checks of the mode that has the 1:8 shadow alone. */
void __rz_shadow_read(const void *p, u32 access, u32 site);
void *__rz_shadow_write(void *p, u32 access, u32 site);

/* The ranges of a small copy are close to each other. */
void __rz_overlap(u32 to, u32 from, u32 bytes, u32 site);
/*
 * What the functions are whose address instrumented code takes, by their index in the table of
 * functions: the number of a signature (src/ir/signatures.ts), 0 for what is not known or no
 * function. Functions beyond are not known.
 */
#define SIGNATURES 16384u
extern u32 __rz_signatures[SIGNATURES];
/*
 * A call through a pointer whose signature is not the expected one. Null and a function of another
 * type are reported, and the result is 1: nothing must be called. What is not known is left to the
 * machine, which traps; __rz_callee tells why.
 */
u32 __rz_call_slow(const void *function, u32 signature, u32 site);
/* A function is called by its name, but not as what it is. */
void __rz_mismatched_call(u32 site);
/* Ends of the program that the compiler put there. They do not return. */
void __rz_trap(u32 site);
void __rz_lost_goto(u32 site);
void __rz_unsupported_assembly(u32 site);

#endif
