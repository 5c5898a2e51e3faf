/*
 * Partially initialised bytes: bit-fields, which are read, changed and written as whole bytes.
 *
 * Such a byte is not initialised in INIT. Its undefined bits are kept in a table with one entry for
 * each granule modulo the table's length. An evicted entry is resolved in favour of the program:
 * its bytes count as written.
 *
 *   entry    granule | number of the block | undefined bits of the 8 bytes, 0xff for a byte that is not kept here
 *
 * The number distinguishes an entry from one of an earlier block at the same address.
 */
#ifndef RZ_PARTIAL_H
#define RZ_PARTIAL_H

#include "shadow.h"

/* The undefined bits of a byte: 0 when it is initialised, 0xff when it was never written. */
u8 __rz_undefined_bits(u32 address);
/* Most programs have no bit-fields in fresh memory, so the table is empty. */
extern u32 __rz_has_partials;
/* Whether the table has an entry for the granule. */
int __rz_is_partial(u32 granule);
static inline int is_partial(u32 granule) { return __rz_has_partials && __rz_is_partial(granule); }
/*
 * Records that some bits of the byte are undefined; INIT already says that it is not initialised.
 */
void __rz_set_undefined_bits(u32 address, u8 bits);

#endif
