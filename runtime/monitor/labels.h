/*
 * Labels: where the bytes of the program's memory came from. Linked only into programs that are
 * labelled (`--taint`, `--secret`, or a program that calls redzone_label itself).
 *
 *   0x8800_0000  nodes    what a label means, each kept once          64 MiB
 *   0x8c00_0000  table    from the contents of a node to the node     16 MiB
 *   0xa000_0000  words    one word per granule of 8 bytes            512 MiB  (instead of referents, temporal.c)
 *   0xf000_0000  slots    eight labels, one per byte of a granule    256 MiB
 *
 * A label is the number of a node; 0 is not a label. The word of a granule says which of its bytes
 * have one:
 *
 *   0                  none: inline code (instrument/label-flow.ts) needs no call
 *   slot, bit 31 clear the labels of its bytes are in that slot
 *   label | bit 31     all eight bytes have this label
 *
 * A node holds a set of names, the range of bytes of one input, and the last few locations where
 * the label was assigned. A value computed from two inputs keeps the bytes of the first; its names
 * are those of both.
 *
 * Invariants
 *   - Equal contents have one number, so a loop creates no new nodes after its first iterations.
 *   - Names are never lost. Once nodes run out, new ones hold names only; once slots run out, a granule has one label.
 */
#ifndef RZ_LABELS_H
#define RZ_LABELS_H

#include "marks.h"

#define LABEL_NODES ((struct label_node *)0x88000000ul)
#define LABEL_NODES_END 0x1f0000u
#define LABEL_NODES_LAST 0x1fff00u
#define LABEL_TABLE ((u32 *)0x8c000000ul)
#define LABEL_TABLE_LENGTH 0x400000u
#define LABEL_SLOTS ((struct label_slot *)0xf0000000ul)
#define LABEL_SLOTS_END 0x7ff000u
#define WHOLE_GRANULE 0x80000000u

#define WAY_LENGTH 4

struct label_node {
  u32 names;  /* a bit for each name of monitor/run/labels.ts */
  u32 source; /* the input, as a number of monitor/run/labels.ts */
  u32 first, last; /* bytes of the source */
  u32 way[WAY_LENGTH]; /* sites, the latest first; 0 for none */
};

struct label_slot {
  u32 of[8];
};

/* The union of the labels of all bytes of a range. */
u32 __rz_label_load(const void *p, u64 bytes);
/*
 * Labels the bytes; a store at a site of the program is recorded as an assignment along the flow.
 */
void __rz_label_store(const void *p, u64 bytes, u32 label, u32 site);
u32 __rz_label_union(u32 a, u32 b);
u32 __rz_label_step(u32 label, u32 site);

/* A labelled value reaches a sink; the runtime decides whether it is reported. */
void __rz_label_sink(u32 label, u32 kind, u32 site);
/* The same for the memory of a pointer: this many bytes, or a text if there are ~0 of them. */
void __rz_label_sink_bytes(const void *p, u64 bytes, u32 kind, u32 site);

#endif
