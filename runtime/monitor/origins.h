/*
 * The origin of undefined bytes. A report names the object that was never written, not the copy of
 * its bytes that was used.
 *
 * Two tables hold the last stores of undefined values and the last copies of ranges with undefined
 * bytes. The address selects the entry, so older entries are overwritten, and then the copy is
 * named. Both tables are read only for a report, which follows the copies backwards; `when` orders
 * them, so that a source that was overwritten after the copy is not followed.
 */
#ifndef RZ_ORIGINS_H
#define RZ_ORIGINS_H

#include "shadow.h"

/*
 * Undefined bytes as they are reported: the first, the block, how many (report.h: SOME_BITS), and
 * the value that they belong to.
 */
struct undefined_bytes {
  u32 first, number, count, value, value_bytes;
};

/* A value with undefined bits, loaded as `origin`, is stored in `bytes` bytes at `at`. */
void __rz_note_store(u32 at, u32 bytes, u32 number, struct undefined_bytes origin);
/*
 * A value with undefined bits, loaded at `from` in the block `source`, is stored at `at`. Its
 * origin is that of the value that was stored at `from`, if there was one; the variable may have
 * ended since, as a returned struct is loaded before its function returns and stored afterwards. A
 * move inside one block is not an origin. Otherwise the result is 0, and `from` may be the origin.
 */
int __rz_pass_origin(u32 at, u32 bytes, u32 number, u32 from, u32 source);
/* A value is stored at `at` whose origin is unknown. */
void __rz_forget_store(u32 at);
/* A range with undefined bytes is copied; a copy inside one block is not an origin. */
void __rz_note_copy(const void *to, const void *from, u32 bytes);
static inline void note_copy(const void *to, const void *from, u32 bytes) {
  if (number_of(to) != number_of(from)) __rz_note_copy(to, from, bytes);
}
/* The bytes that these undefined bytes were copied from, as far as they are known. */
struct undefined_bytes __rz_birthplace(struct undefined_bytes bytes);

#endif
