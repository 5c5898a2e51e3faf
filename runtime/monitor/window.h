/*
 * Windows: ranges of plain granules of one block and the initialised bytes after them, none of them
 * marked (marks.h), for loops that check an access by comparing its address with the range of
 * earlier accesses.
 */
#ifndef RZ_WINDOW_H
#define RZ_WINDOW_H

#include "shadow.h"

/*
 * The window around the access, as `limit << 32 | start`: an access of the same size at an address
 * a with a - start < limit is inside. 0 when the access is not all plain, writes to a constant, or
 * is misaligned; an access is passed as in check.h.
 */
u64 __rz_window(const void *p, u32 access, u32 writes);
/* The same, called before a fast loop, where it is not rare. */
u64 __rz_first_window(const void *p, u32 access, u32 writes);

/* Called when a granule of this block has become special. */
void __rz_cut_window(u32 number, u32 g);

/*
 * Marks a place that is seldom reached: the branch that skips it is the likely one. The call is
 * removed when the branch has its hint (src/wasm/branch-hints.ts).
 */
void __rz_seldom(void);

#endif
