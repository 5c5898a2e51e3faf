/*
 * The history of numbers: a ring of the latest blocks, so that a stale pointer can be explained.
 * Locals are entered when they begin, heap blocks when their memory is reused. Newer numbers
 * overwrite old entries; the stale pointer is still detected, but with fewer details.
 */
#ifndef RZ_RING_H
#define RZ_RING_H

#include "shadow.h"

struct retired {
  u32 number, kind, address, bytes;
  /* Locals: the variable, and the depth of its frame. Heap: the stacks of malloc and free. */
  u32 begin, end, reserved[2];
};

#define RING ((struct retired *)0x70000000ul)
#define RING_LENGTH 0x200000u

static inline struct retired *ring_entry(u32 number) { return RING + (count_of(number) & (RING_LENGTH - 1)); }

static inline void retire(u32 number, u32 kind, u32 address, u32 bytes, u32 begin, u32 end) {
  struct retired *entry = ring_entry(number);
  entry->number = number, entry->kind = kind;
  entry->address = address, entry->bytes = bytes;
  entry->begin = begin, entry->end = end;
}

#endif
