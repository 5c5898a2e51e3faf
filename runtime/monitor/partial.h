/*
 * Bytes of which some bits were written and others not: bit-fields, which are read, changed and
 * written as whole bytes.
 *
 * Such a byte is not initialised as far as INIT goes. Which of its bits are undefined is kept in a
 * table with one entry for each granule modulo the table's length. An entry that has to go is
 * forgotten in favour of the program: its bytes count as written.
 *
 *   entry    granule | number of the block | undefined bits of the 8 bytes, 0xff for a byte that is not kept here
 *
 * The number tells an entry from what an earlier block at the same address left behind.
 */
#ifndef RZ_PARTIAL_H
#define RZ_PARTIAL_H

#include "shadow.h"

/* The undefined bits of a byte: 0 when it is initialised, 0xff when it was never written. */
u8 __rz_undefined_bits(u32 address);
/* Most programs have no bit-fields in fresh memory: the table is empty. */
extern u32 __rz_has_partials;
/* Does the table know of the granule? */
int __rz_is_partial(u32 granule);
static inline int is_partial(u32 granule) { return __rz_has_partials && __rz_is_partial(granule); }
/* Some bits of the byte are undefined; INIT says already that it is not initialised. */
void __rz_set_undefined_bits(u32 address, u8 bits);

#endif
