/*
 * Marks: what a granule may have beside its bytes. It is marked if it has labels (labels.h), or if
 * a cell of it is set in a shadow of plug-ins that decides whether their hooks are called.
 *
 * The fast copies of loops (src/monitor/instrument/fast-loops.ts) follow no labels and evaluate no
 * conditions, so they access no marked granule: no window has one.
 */
#ifndef RZ_MARKS_H
#define RZ_MARKS_H

#include "shadow.h"

#define LABEL_WORDS ((u32 *)0xa0000000ul)

/* The shadows of plug-ins: src/monitor/instrument/inline-shadow.ts. */
#define MOST_PLUGIN_SHADOWS 16
#define PLUGIN_DIRECTORIES ((const u32 *)0xe7e00000ul)
#define PLUGIN_DIRECTORY_LENGTH 0x4000u
#define PLUGIN_PAGES ((const u8 *)0xe7fc0000ul)

enum marking { MARKING_LABELS = 1, MARKING_CELLS = 2 };

/* What kinds of marks the program has. Set before it starts, like the next one. */
extern u32 __rz_marking;
/* For each shadow the bits of a granule, or 0 if it decides nothing. */
extern u32 __rz_watched[MOST_PLUGIN_SHADOWS];

int __rz_has_mark(u32 granule);
static inline int is_marked(u32 granule) { return __rz_marking != 0 && __rz_has_mark(granule); }

/* Called when granules have got marks. */
void __rz_cut_marked(u32 first, u32 bytes);

/* Whether none of the granules is marked. */
u32 __rz_unmarked(const void *p, u32 bytes);

/* Whether all hooks of accesses wait for cells, and no granule has one. */
u32 __rz_no_cells(const void *p, u64 bytes);
/*
 * Sets the cells of a shadow, one per `kind >> 8` bytes and of `kind & 255` bits. Returns 0, having
 * set none, if a page is missing.
 */
u32 __rz_set_cells(const void *p, u64 bytes, u32 shadow, u32 kind, u32 to);

/*
 * What the hooks do where the library reads and writes memory of the program, if they only set
 * cells. `program_slot` is the outermost slot of the call stack that belongs to the program: the
 * library's own work before it is not hooked. TypeScript fills this in.
 */
struct library_settings {
  u32 program_slot;
  struct {
    u32 count;
    struct {
      u32 shadow, kind, to;
    } each[MOST_PLUGIN_SHADOWS];
  } of[2]; /* reads and writes */
};
extern struct library_settings __rz_library_settings;

/* Whether nothing is left to do for TypeScript at an access of the library. */
u32 __rz_library_access(const void *p, u64 bytes, u32 is_store);

#endif
