/*
 * The layout of a heap block in memory, and the walk over all of them (src/monitor/memory-map.ts
 * reads the same).
 *
 *   header (16 bytes, no block)                     payload (a multiple of 16)
 *   ┌────────────┬────────┬───────┬───────────┐ ┌──────────────────────────┐
 *   │ total|state│ number │ bytes │ allocated │ │ the program's bytes, pad │   next header ...
 *   └────────────┴────────┴───────┴───────────┘ └──────────────────────────┘
 *
 * `total` is header and payload together; blocks follow one another from the heap's start to its
 * end, so that the next header is both the redzone after a block and the next step of a walk. A
 * block that is not live has the stack of its free and its list link in its payload.
 */
#ifndef RZ_HEAP_H
#define RZ_HEAP_H

#include "shadow.h"

/* Blocks of the library are live, too, but the program must not free them. */
enum block_state { BLOCK_FREE = 0, BLOCK_LIVE = 1, BLOCK_QUARANTINED = 2, BLOCK_OF_LIBRARY = 3, BLOCK_STATES = 15 };

struct block {
  u32 total_and_state, number, bytes, allocated;
  struct {
    u32 freed, next;
  } dead;
};

#define HEADER 16u

#endif
