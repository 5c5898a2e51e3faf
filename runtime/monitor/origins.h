/*
 * Where undefined bytes were born. A report names the object that was never written, not the copy
 * of its bytes that was used.
 *
 * Two tables keep the last stores of undefined values and the last copies of ranges with undefined
 * bytes, each at a place that its address selects, so older ones are forgotten and the copy is
 * named. Both are read only for a report, which follows them back from copy to copy; `when` orders
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

/* A value with undefined bits, which were loaded as `origin`, is stored at `at`. */
void __rz_note_store(u32 at, u32 number, struct undefined_bytes origin);
/*
 * The origin of the value that was stored at `at`, or null. The variable may have ended since: a
 * returned struct is loaded before its function returns and stored afterwards.
 */
const struct undefined_bytes *__rz_stored_origin(u32 at, u32 number);
/* A value is stored at `at` whose origin is unknown. */
void __rz_forget_store(u32 at);
/* A range with undefined bytes is copied; a copy inside one block is not an origin. */
void __rz_note_copy(const void *to, const void *from, u32 bytes);
static inline void note_copy(const void *to, const void *from, u32 bytes) {
  if (number_of(to) != number_of(from)) __rz_note_copy(to, from, bytes);
}
/* The bytes that these undefined bytes were copied from, as far as it is known. */
struct undefined_bytes __rz_birthplace(struct undefined_bytes bytes);

#endif
