/*
 * The race detector's interface for accesses in a program with threads. It does nothing while there
 * is one thread.
 */
#ifndef RZ_RACES_H
#define RZ_RACES_H

#include "shadow.h"

/* The kind of an access. RACE_RANGE: made by a function of the library. */
enum race_kind { RACE_READ = 0, RACE_WRITE = 1, RACE_ATOMIC = 2, RACE_FREE = 4, RACE_RANGE = 8 };
/* Above the kind, a record has the size of the access. */
#define RACE_BYTES_SHIFT 4
enum atomic_kind { ATOMIC_LOAD, ATOMIC_STORE, ATOMIC_UPDATE, ATOMIC_FENCE };

/* One access, in the layout that TypeScript reads (src/monitor/run/thread-tables.ts). */
struct race_record {
  u32 slot, thread, clock, kind, site, stack, locks;
};

void __rz_race_access(const void *p, u32 bytes_and_kind, u32 site);
void __rz_race_range(u32 address, u64 bytes, u32 kind);
/* The memory is reused by a new object. */
void __rz_race_fresh(u32 address, u64 bytes);
/* A local ends, which is a write for accesses of other threads. */
void __rz_race_ended(u32 address, u64 bytes);
/* The record of the last write to the byte, or 0. */
u32 __rz_race_writer(u32 address);
/*
 * An atomic operation is a scheduling point and then an access that may order others. `__rz_atomic`
 * does both, and is called before the operation; the outcome of a compare-exchange is known after
 * it.
 */
void __rz_atomic_point(u32 site);
void __rz_atomic_done(const void *p, u32 kind, u32 order, u32 bytes, u32 site);
void __rz_atomic(const void *p, u32 kind, u32 order, u32 bytes, u32 site);
void __rz_refuel(u32 site);

/* lock-order.c: locks in reused memory are new locks. */
void __rz_forget_locks(u32 address, u64 bytes);

#endif
