/*
 * Data races: FastTrack (Flanagan and Freund, 2009) over the shadow of threads.h.
 *
 * A thread has a vector clock. An access is a *record*: thread, its clock, site, stack, locks. A
 * *state* describes some memory: its last write and the unordered reads since, as records. A cell
 * of the shadow stands for 4 bytes and holds
 *
 *     2 * state        the state's last access is a read           0   never accessed while there were threads
 *     2 * state + 1    its last access is a write
 *     negative         the bytes differ: an index of four such words
 *
 * Records and states are numbered in order, and a *slice* is what one thread does between two
 * switches or releases. So a cell that is at least `__rz_slice` was set by this thread in this
 * slice: it may read there again without a check, and write if the cell is odd. That is the inline
 * check (src/monitor/instrument/race-checks.ts). Memory that is accessed in the same way has the
 * same state, so transitions between states are cached.
 *
 * When a table is full, the shadow is cleared: races with earlier accesses are missed, but there
 * are no false reports.
 */
#include "races.h"

#include "calls.h"
#include "report.h"
#include "threads.h"

u32 __rz_races_on;
/* Larger than any cell that is set while there is one thread only. */
int __rz_slice;
/* How often a table was full, and whether detection had to stop. */
u32 __rz_races_emptied, __rz_races_stopped;

#define CELLS ((int *)0xa0000000ul)

/* -------------------------------------------------------------------------------- vector clocks */

static u32 clocks[THREAD_SLOTS][THREAD_SLOTS];
/*
 * The clocks that a release fence keeps for later stores, and relaxed loads keep for an acquire
 * fence.
 */
static u32 released[THREAD_SLOTS][THREAD_SLOTS], pending[THREAD_SLOTS][THREAD_SLOTS];

static void join(u32 *to, const u32 *from, u32 count) {
  for (u32 i = 0; i < count; i++)
    if (from[i] > to[i]) to[i] = from[i];
}

/*
 * Clocks of objects, by address: open addressing; a clock is `{ length, heads, clock... }`. For
 * atomics, `heads` has a bit, modulo 32, for each thread that heads an active release sequence.
 */
enum { LENGTH, HEADS, FIRST };
struct bucket {
  u32 object, clock;
};
#define BUCKETS ((struct bucket *)0x89000000ul)
#define BUCKET_COUNT 0x40000u
#define CLOCK_WORDS ((u32 *)0x89200000ul)
#define CLOCK_WORD_COUNT 0x380000u
static u32 bucket_count, next_clock = 1;

static u32 *clock_of(u32 object, int is_wanted) {
  u32 length = (__rz_thread_count + 7) & ~7u;
  for (u32 at = object * 0x9e3779b1u >> 14;; at = (at + 1) & (BUCKET_COUNT - 1)) {
    struct bucket *bucket = &BUCKETS[at];
    if (bucket->object != object && bucket->object != 0) continue;
    if (bucket->object == 0 && !is_wanted) return 0;
    u32 *clock = CLOCK_WORDS + bucket->clock;
    if (bucket->object != 0 && (clock[LENGTH] >= length || !is_wanted)) return clock;
    if (next_clock + length + FIRST > CLOCK_WORD_COUNT || bucket_count > BUCKET_COUNT / 2) {
      __rz_races_on = 0, __rz_races_stopped = 1;
      return 0;
    }
    u32 *made = CLOCK_WORDS + next_clock;
    const u32 known = bucket->object != 0 ? clock[LENGTH] : 0;
    made[LENGTH] = length, made[HEADS] = known ? clock[HEADS] : 0;
    for (u32 i = 0; i < length; i++) made[FIRST + i] = i < known ? clock[FIRST + i] : 0;
    if (bucket->object == 0) bucket_count++;
    bucket->object = object, bucket->clock = next_clock;
    next_clock += length + FIRST;
    return made;
  }
}

static void acquire(u32 object) {
  const u32 *clock = clock_of(object, 0);
  if (clock) join(clocks[__rz_thread], clock + FIRST, clock[LENGTH]);
}

static void release(u32 object, const u32 *what) {
  u32 *clock = clock_of(object, 1);
  if (clock) join(clock + FIRST, what, __rz_thread_count);
}

static void tick(void) {
  clocks[__rz_thread][__rz_thread]++;
  __rz_race_new_slice();
}

void __rz_thread_acquire(const void *object) {
  if (__rz_races_on) acquire(address_of(object));
}

void __rz_thread_release(const void *object) {
  if (!__rz_races_on) return;
  release(address_of(object), clocks[__rz_thread]);
  tick();
}

void __rz_thread_joined(u32 slot) {
  __rz_span_joined(__rz_thread, slot);
  if (__rz_races_on) join(clocks[__rz_thread], clocks[slot], __rz_thread_count);
}

void __rz_race_created(u32 parent, u32 child) {
  if (!__rz_races_on) return;
  u32 own = clocks[child][child];
  if (clocks[parent][parent] == 0) clocks[parent][parent] = 1;
  for (u32 i = 0; i < THREAD_SLOTS; i++) clocks[child][i] = clocks[parent][i], released[child][i] = pending[child][i] = 0;
  clocks[child][child] = own + 1;
  clocks[parent][parent]++;
  __rz_race_new_slice();
}

/* -------------------------------------------------------------------------------------- records */

#define RECORDS ((struct race_record *)0x8a800000ul)
#define RECORD_COUNT 0x130000u
struct state {
  u32 write, reads; /* a record; a record, or a node and MANY */
};
#define STATES ((struct state *)0x8c000000ul)
#define STATE_COUNT 0x400000u
struct node {
  u32 record, next;
};
#define NODES ((struct node *)0x8e000000ul)
#define NODE_COUNT 0x100000u
#define SPLITS ((int(*)[4])0x8e800000ul)
#define SPLIT_COUNT 0x180000u
#define MANY 0x80000000u

static u32 next_record = 1, next_state = 1, next_node = 1, next_split = 1;

/*
 * Sets of locks that were held together, each kept once: `{ count, lock... }`, found through a
 * small cache.
 */
#define LOCKSETS ((u32 *)0x8a000000ul)
#define LOCKSET_WORDS 0x200000u
static u32 next_lockset = 1, known_locksets[1024];

static u32 lockset(void) {
  const struct thread *thread = &__rz_threads[__rz_thread];
  u32 count = thread->lock_count, hash = count;
  if (count == 0) return 0;
  for (u32 i = 0; i < count; i++) hash = (hash ^ thread->locks[i].lock) * 0x9e3779b1u;
  u32 *known = &known_locksets[hash >> 22];
  const u32 *old = LOCKSETS + *known;
  u32 same = *known != 0 && old[0] == count;
  for (u32 i = 0; same && i < count; i++) same = old[i + 1] == thread->locks[i].lock;
  if (same) return *known;
  if (next_lockset + count + 1 > LOCKSET_WORDS) return 0;
  u32 *made = LOCKSETS + next_lockset;
  made[0] = count;
  for (u32 i = 0; i < count; i++) made[i + 1] = thread->locks[i].lock;
  *known = next_lockset;
  next_lockset += count + 1;
  return *known;
}

/* The latest record of a site: an access in a loop makes one for each slice. */
static struct {
  u32 slice, site, kind, stack, record;
} latest[256];

static u32 record(u32 kind, u32 site) {
  u32 slot = (site ^ kind * 64) & 255, depth = __rz_depth;
  if (latest[slot].slice == (u32)__rz_slice && latest[slot].site == site && latest[slot].kind == kind &&
      latest[slot].stack == depth && site != 0)
    return latest[slot].record;
  u32 made = next_record++;
  RECORDS[made] = (struct race_record){.slot = __rz_thread,
                                       .thread = __rz_threads[__rz_thread].id,
                                       .clock = clocks[__rz_thread][__rz_thread],
                                       .kind = kind,
                                       .site = site,
                                       .stack = __rz_stack_id(),
                                       .locks = lockset()};
  latest[slot].slice = (u32)__rz_slice, latest[slot].site = site, latest[slot].kind = kind;
  latest[slot].stack = depth, latest[slot].record = made;
  return made;
}

/* --------------------------------------------------------------------------------------- states */

/* The 64 KiB parts of client memory with cells that are set. */
static u8 touched[THREADS_CLIENT_END >> 16];

static void empty(void) {
  for (u32 i = 0; i < sizeof touched; i++) {
    if (touched[i]) __builtin_memset(CELLS + i * 0x4000ul, 0, 0x10000);
    touched[i] = 0;
  }
  next_record = next_state = next_node = next_split = 1;
  __rz_races_emptied++;
  for (u32 i = 0; i < 256; i++) latest[i].slice = ~0u;
  __rz_race_new_slice();
}

/* Ensures that the tables have space for one access of a cell. */
static void make_room(void) {
  if (next_record + 2 >= RECORD_COUNT || next_state + 8 >= STATE_COUNT || next_node + 4 * THREAD_SLOTS >= NODE_COUNT ||
      next_split + 2 >= SPLIT_COUNT)
    empty();
}

void __rz_race_new_slice(void) { __rz_slice = (int)(next_state << 1); }

static int is_before(u32 old) {
  const struct race_record *r = &RECORDS[old];
  return r->clock <= clocks[__rz_thread][r->slot];
}

/* The record with which the access conflicts without being ordered after it, or 0. */
static u32 rival(const struct state *s, u32 kind) {
  u32 is_atomic = kind & RACE_ATOMIC, writes = kind & (RACE_WRITE | RACE_FREE);
  if (s->write && !is_before(s->write) && !(is_atomic && RECORDS[s->write].kind & RACE_ATOMIC)) return s->write;
  if (!writes || !s->reads) return 0;
  if (!(s->reads & MANY)) return is_before(s->reads) || (is_atomic && RECORDS[s->reads].kind & RACE_ATOMIC) ? 0 : s->reads;
  for (u32 n = s->reads & ~MANY; n; n = NODES[n].next) {
    u32 read = NODES[n].record;
    if (!is_before(read) && !(is_atomic && RECORDS[read].kind & RACE_ATOMIC)) return read;
  }
  return 0;
}

static u32 with_reads(u32 reads, u32 made) {
  u32 list = 0, count = 0, last = 0;
  u32 n = reads & MANY ? reads & ~MANY : 0;
  if (reads && !(reads & MANY) && !is_before(reads)) count = 1, last = reads;
  for (; n; n = NODES[n].next) {
    if (is_before(NODES[n].record)) continue;
    NODES[next_node] = (struct node){NODES[n].record, list};
    list = next_node++, count++;
  }
  if (count == 0) return made;
  if (last) NODES[next_node] = (struct node){last, 0}, list = next_node++;
  NODES[next_node] = (struct node){made, list};
  return next_node++ | MANY;
}

static struct {
  int old, next;
  u32 record;
} steps[1024];

/* The cell after an access; reports a race. */
static int step(int old, u32 made, u32 address) {
  u32 slot = ((u32)old * 31 ^ made) & 1023;
  if (steps[slot].old == old && steps[slot].record == made && steps[slot].next >= __rz_slice) return steps[slot].next;
  struct state s = old ? STATES[(u32)old >> 1] : (struct state){0, 0};
  u32 other = old ? rival(&s, RECORDS[made].kind) : 0;
  if (other) __rz_report_race(address, made, other);
  int writes = (RECORDS[made].kind & (RACE_WRITE | RACE_FREE)) != 0;
  u32 state = next_state++;
  STATES[state] = writes ? (struct state){made, 0} : (struct state){s.write, with_reads(s.reads, made)};
  /* A plain write that is covered by an atomic one of the same slice is still plain. */
  int next = (int)(state << 1 | writes);
  steps[slot].old = old, steps[slot].record = made, steps[slot].next = next;
  return next;
}

/* ---------------------------------------------------------------------------------------- cells */

static void access_cell(u32 cell, u32 mask, u32 kind, u32 site) {
  int old = CELLS[cell], writes = (kind & (RACE_WRITE | RACE_FREE)) != 0;
  if (old >= __rz_slice && (!writes || old & 1) && !(kind & (RACE_ATOMIC | RACE_FREE))) return;
  make_room();
  touched[cell >> 14] = 1;
  u32 made = record(kind, site);
  old = CELLS[cell];
  if (mask == 15 && old >= 0) {
    CELLS[cell] = step(old, made, cell * 4);
    return;
  }
  if (old >= 0) {
    u32 split = next_split++;
    for (u32 i = 0; i < 4; i++) SPLITS[split][i] = old;
    CELLS[cell] = old = (int)(split | MANY);
  }
  int *bytes = SPLITS[(u32)old & ~MANY], same = 1;
  for (u32 i = 0; i < 4; i++) {
    int is_new = bytes[i] >= __rz_slice && (!writes || bytes[i] & 1) && !(kind & (RACE_ATOMIC | RACE_FREE));
    if (mask >> i & 1 && !is_new) bytes[i] = step(bytes[i], made, cell * 4 + i);
    same &= bytes[i] == bytes[0];
  }
  if (same) CELLS[cell] = bytes[0];
}

#define MOST_BYTES 0xfffffffu

static void access(u32 first, u64 bytes, u32 kind, u32 site) {
  if (!__rz_races_on || __rz_thread_count == 1 || first >= THREADS_CLIENT_END || bytes == 0) return;
  u64 end = first + bytes;
  if (end > THREADS_CLIENT_END) end = THREADS_CLIENT_END;
  kind |= (bytes < MOST_BYTES ? (u32)bytes : MOST_BYTES) << RACE_BYTES_SHIFT;
  for (u32 at = first; at < end; at = (at | 3) + 1) {
    u32 stop = (at | 3) + 1 < end ? (at | 3) + 1 : (u32)end;
    u32 mask = ((1u << (stop - at)) - 1) << (at & 3);
    access_cell(at >> 2, mask, kind, site);
  }
}

void __rz_race_access(const void *p, u32 bytes_and_kind, u32 site) {
  access(address_of(p), bytes_and_kind >> 4, bytes_and_kind & 15, site);
}

void __rz_race_range(u32 address, u64 bytes, u32 kind) { access(address, bytes, kind | RACE_RANGE, 0); }

/* The record of an access to the cell that is not ordered before the end of its object, or 0. */
static u32 rival_of_end(int cell) {
  if (cell >= 0) return cell ? rival(&STATES[(u32)cell >> 1], RACE_FREE) : 0;
  u32 other = 0;
  for (u32 i = 0; i < 4 && !other; i++) {
    int byte = SPLITS[(u32)cell & ~MANY][i];
    other = byte ? rival(&STATES[(u32)byte >> 1], RACE_FREE) : 0;
  }
  return other;
}

void __rz_race_ended(u32 address, u64 bytes) {
  if (!__rz_races_on || __rz_thread_count == 1 || address + bytes > THREADS_CLIENT_END) return;
  for (u32 cell = address >> 2; cell < (address + bytes + 3) >> 2; cell++) {
    if (CELLS[cell] == 0 || !rival_of_end(CELLS[cell])) continue;
    make_room();
    u32 other = rival_of_end(CELLS[cell]);
    if (other) __rz_report_race(cell * 4, record(RACE_FREE | (u32)bytes << RACE_BYTES_SHIFT, 0), other);
    return;
  }
}

/* The memory is reused: accesses to the previous object are not a race. */
void __rz_race_fresh(u32 address, u64 bytes) {
  __rz_forget_locks(address, bytes);
  if (!__rz_races_on || __rz_thread_count == 1 || address >= THREADS_CLIENT_END) return;
  u64 end = address + bytes < THREADS_CLIENT_END ? address + bytes : THREADS_CLIENT_END;
  for (u32 cell = address >> 2; cell < (end + 3) >> 2; cell++) CELLS[cell] = 0;
}

u32 __rz_race_writer(u32 address) {
  if (address >= THREADS_CLIENT_END) return 0;
  int cell = CELLS[address >> 2];
  if (cell < 0) cell = SPLITS[(u32)cell & ~MANY][address & 3];
  return cell ? STATES[(u32)cell >> 1].write : 0;
}

/* -------------------------------------------------------------------------------------- atomics */

enum order { RELAXED, ACQUIRE, RELEASE, BOTH };

/* The library's scheduling point; absent where no thread is created. */
__attribute__((weak)) void __rz_thread_point(void);

static void fence(enum order order) {
  u32 self = __rz_thread;
  if (order & ACQUIRE) join(clocks[self], pending[self], __rz_thread_count);
  if (order & RELEASE) {
    for (u32 i = 0; i < __rz_thread_count; i++) released[self][i] = clocks[self][i];
    tick();
  }
}

/*
 * A read-modify-write continues all release sequences, a store those that its own thread heads. A
 * release fence makes later stores heads.
 */
static void order_atomic(u32 object, u32 kind, enum order order) {
  u32 self = __rz_thread, loads = kind != ATOMIC_STORE, stores = kind != ATOMIC_LOAD;
  u32 *clock = clock_of(object, stores);
  if (loads && clock) join(order & ACQUIRE ? clocks[self] : pending[self], clock + FIRST, clock[LENGTH]);
  if (!stores || !clock) return;
  const u32 own = 1u << (self & 31), *given = order & RELEASE ? clocks[self] : released[self];
  if (!loads && !(clock[HEADS] & own))
    for (u32 i = 0; i < clock[LENGTH]; i++) clock[FIRST + i] = 0;
  if (!loads) clock[HEADS] &= own;
  if (given[self] != 0) clock[HEADS] |= own;
  join(clock + FIRST, given, __rz_thread_count);
  if (order & RELEASE) tick();
}

static void make_atomic(const void *p, u32 kind, u32 order, u32 bytes, u32 site, u32 flags) {
  if (!__rz_races_on || __rz_thread_count == 1) return;
  if (kind == ATOMIC_FENCE) {
    fence(order);
    return;
  }
  access(address_of(p), bytes, flags | (kind == ATOMIC_LOAD ? 0 : RACE_WRITE), site);
  /* The clocks of atomics are separate from those of locks at the same address. */
  order_atomic(address_of(p) | 0x80000000u, kind, order);
}

void __rz_atomic_done(const void *p, u32 kind, u32 order, u32 bytes, u32 site) {
  make_atomic(p, kind, order, bytes, site, RACE_ATOMIC);
}

/* The innermost function has no slot in the call stack if it makes no call. */
static void is_here(u32 site) {
  struct thread *thread = &__rz_threads[__rz_thread];
  thread->here = site, thread->here_depth = __rz_depth;
}

void __rz_atomic_point(u32 site) {
  is_here(site);
  if (__rz_thread_point) __rz_thread_point();
}

void __rz_atomic(const void *p, u32 kind, u32 order, u32 bytes, u32 site) {
  __rz_atomic_point(site);
  __rz_atomic_done(p, kind, order, bytes, site);
}

void __rz_thread_atomic(const void *object, u64 bytes, u32 kind, u32 order) {
  make_atomic(object, kind, order, (u32)bytes, 0, RACE_ATOMIC | RACE_RANGE);
}

/*
 * Counts loop iterations: a loop that waits for another thread without synchronisation must not run
 * forever.
 */
int __rz_fuel = 20000;
__attribute__((weak)) void __rz_thread_yield(void);

void __rz_refuel(u32 site) {
  __rz_fuel = 20000;
  is_here(site);
  if (__rz_thread_yield) __rz_thread_yield();
}
