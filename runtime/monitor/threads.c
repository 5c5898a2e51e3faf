/*
 * Switches between the stacks of threads, and chooses the thread that runs: see threads.h, and
 * runtime/libc/internal/thread-engine.h.
 */
#include "threads.h"

#include "calls.h"
#include "races.h"
#include "report.h"

struct thread __rz_threads[THREAD_SLOTS] = {{.id = 1}};
u32 __rz_thread, __rz_thread_count = 1;

/*
 * Passes the baton to a slot and returns when the thread gets it back. The second function ends the
 * thread and does not return.
 */
void __rz_baton_pass(u32 slot) RZ_IMPORT(__rz_baton_pass);
_Noreturn void __rz_baton_leave(u32 slot) RZ_IMPORT(__rz_baton_leave);
/* Prepares the worker of a slot. */
void __rz_baton_prepare(u32 slot) RZ_IMPORT(__rz_baton_prepare);

_Noreturn void __rz_report_deadlock(void) RZ_IMPORT(__rz_report_deadlock);
void __rz_report_left_thread(u32 slot, u32 is_running) RZ_IMPORT(__rz_report_left_thread);

/* objects.c */
extern u32 __rz_lowest_local, __rz_stack_floor;

/* ----------------------------------------------------------------------------------- the stacks */

static void free_forgotten_slots(void);

u32 __rz_thread_new(u32 id, void (*begin)(void)) {
  free_forgotten_slots();
  u32 slot = 1;
  while (slot < THREAD_SLOTS && __rz_threads[slot].id != 0) slot++;
  if (slot == THREAD_SLOTS) return ~0u;
  u32 floor = THREAD_STACKS + slot * THREAD_STACK_BYTES;
  __rz_threads[slot] = (struct thread){
      .id = id,
      .creator = __rz_threads[__rz_thread].id,
      .created = __rz_stack_id(),
      .depth = THREAD_CALLS + slot * THREAD_CALLS_BYTES + 4,
      .lowest_local = floor + THREAD_STACK_BYTES,
      .waits_for = ~0u,
      .begin = begin,
  };
  /* A zero below the first frame marks the end of the stack for readers. */
  *(u32 *)(u64)(THREAD_CALLS + slot * THREAD_CALLS_BYTES) = 0;
  if (slot >= __rz_thread_count) __rz_thread_count = slot + 1;
  __rz_race_created(__rz_thread, slot);
  __rz_span_created(__rz_thread, slot);
  return slot;
}

/* A worker is started when its thread first runs, and kept for the next one in the slot. */
static void prepare(u32 slot) {
  static u8 is_prepared[THREAD_SLOTS];
  if (slot != 0 && !is_prepared[slot]) __rz_baton_prepare(slot);
  is_prepared[slot] = 1;
}

static void resume(u32 slot) {
  const struct thread *thread = &__rz_threads[slot];
  __rz_thread = slot;
  __rz_depth = thread->depth;
  __rz_calls_start = slot == 0 ? CALLS_START : THREAD_CALLS + slot * THREAD_CALLS_BYTES + 4;
  __rz_lowest_local = thread->lowest_local;
  __rz_stack_floor = slot == 0 ? NULL_PAGE_END : THREAD_STACKS + slot * THREAD_STACK_BYTES;
  __rz_race_new_slice();
}

void __rz_thread_switch(u32 slot) {
  u32 own = __rz_thread;
  struct thread *thread = &__rz_threads[own];
  thread->depth = __rz_depth;
  thread->lowest_local = __rz_lowest_local;
  prepare(slot);
  __rz_baton_pass(slot);
  resume(own);
}

static void end_copies(u32 slot);

_Noreturn void __rz_thread_end(u32 slot) {
  end_copies(__rz_thread);
  __rz_threads[__rz_thread].is_ended = 1;
  __rz_threads[__rz_thread].depth = __rz_depth;
  prepare(slot);
  __rz_baton_leave(slot);
}

/* A thread may forget itself while it ends: the slot is not reused before it has left. */
void __rz_thread_forget(u32 slot) { __rz_threads[slot].is_forgotten = 1; }

static void free_forgotten_slots(void) {
  for (u32 slot = 1; slot < __rz_thread_count; slot++)
    if (__rz_threads[slot].is_ended && __rz_threads[slot].is_forgotten) __rz_threads[slot].id = 0;
}

/* Called by the worker of the slot, on its stack. */
void __rz_thread_begin(u32 slot) {
  resume(slot);
  __rz_threads[slot].begin();
}

/* -------------------------------------------------------------------------------------- choices */

enum choice { CHOOSE_NEXT, CHOOSE_OTHER, CHOOSE_WAITER };

/* Set by TypeScript before the run: src/monitor/run/schedule.ts. */
enum strategy { STAY, RANDOM_WALK, PRIORITIES, FOLLOW, FOLLOW_EXPLORED };
struct schedule {
  u32 strategy;
  u32 random;         /* the state of the generator, never 0 */
  u32 length;         /* how many choices were made */
  u32 given;          /* how many choices there are to follow */
  u32 departed;       /* at which choice the run first could not follow, plus 1 */
  u32 change_points[8];
  u32 lowest;         /* the next priority for a thread that steps back */
  u32 stays;          /* how often the same thread was chosen in a row */
};
struct schedule __rz_schedule;

/*
 * The handle that was chosen each time. TypeScript writes those to follow here; they are
 * overwritten with themselves.
 */
#define CHOICES ((u8 *)0x88000000ul)
#define MOST_CHOICES 0x1000000u

static u32 priorities[THREAD_SLOTS];

static u32 random(void) {
  u32 x = __rz_schedule.random;
  x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  return __rz_schedule.random = x;
}

static u32 below(u32 limit) { return (u32)((u64)random() * limit >> 32); }

static u32 walk(enum choice what, u32 count, u32 running) {
  if (what == CHOOSE_WAITER || running == count) return below(count);
  if (what == CHOOSE_NEXT && (random() & 3) != 0) return running;
  u32 other = below(count - 1);
  return other < running ? other : other + 1;
}

/* The priority of a new thread: random, above all priorities that a thread is lowered to. */
static u32 priority_of(u32 slot) {
  if (priorities[slot] == 0) priorities[slot] = 0x10000 + (random() & 0xffff);
  return priorities[slot];
}

#define MOST_STAYS 1000u

/*
 * PCT: the thread of the highest priority runs, and at a few random points its priority drops below
 * all others.
 */
static u32 by_priority(enum choice what, const u32 *slots, u32 count, u32 running) {
  if (what == CHOOSE_WAITER) return below(count);
  int steps_back = what == CHOOSE_OTHER || __rz_schedule.stays > MOST_STAYS;
  for (u32 i = 0; i < 8; i++) steps_back |= __rz_schedule.change_points[i] == __rz_schedule.length + 1;
  if (steps_back && running < count) priorities[slots[running]] = --__rz_schedule.lowest;
  u32 best = 0;
  for (u32 i = 1; i < count; i++)
    if (priority_of(slots[i]) > priority_of(slots[best])) best = i;
  return best;
}

static u32 index_of(u32 slot, const u32 *slots, u32 count) {
  u32 i = 0;
  while (i < count && slots[i] != slot) i++;
  return i;
}

static u32 follow(const u32 *slots, u32 count, u32 running) {
  if (__rz_schedule.length < __rz_schedule.given) {
    u32 wanted = index_of(CHOICES[__rz_schedule.length], slots, count);
    if (wanted < count) return wanted;
    if (!__rz_schedule.departed) __rz_schedule.departed = __rz_schedule.length + 1;
  }
  return running < count ? running : 0;
}

/* The schedule comes from `explore`, which has a choice at more points. */
u32 __rz_thread_explores(void) { return __rz_schedule.strategy == FOLLOW_EXPLORED; }
void __rz_thread_about(u32 slot, u32 what, const void *object, const void *second) { (void)slot, (void)what, (void)object, (void)second; }

u32 __rz_thread_choose(enum choice what, const u32 *given, u32 count, u32 running) {
  const u32 *slots = raw(address_of(given));
  u32 chosen;
  switch (__rz_schedule.strategy) {
    case RANDOM_WALK: chosen = walk(what, count, running); break;
    case PRIORITIES: chosen = by_priority(what, slots, count, running); break;
    case FOLLOW:
    case FOLLOW_EXPLORED: chosen = follow(slots, count, running); break;
    default: chosen = what == CHOOSE_OTHER && running < count ? (running + 1) % count : running < count ? running : 0;
  }
  __rz_schedule.stays = chosen == running ? __rz_schedule.stays + 1 : 0;
  if (__rz_schedule.length < MOST_CHOICES) CHOICES[__rz_schedule.length] = (u8)slots[chosen];
  __rz_schedule.length++;
  return chosen;
}

/* ------------------------------------------------------------------------ what threads wait for */

void __rz_thread_waits(u32 what, const void *object, u32 holder) {
  struct thread *thread = &__rz_threads[__rz_thread];
  thread->waits = what, thread->waits_at = address_of(object), thread->waits_for = holder;
}

_Noreturn void __rz_thread_deadlock(void) {
  __rz_threads[__rz_thread].depth = __rz_depth;
  __rz_report_deadlock();
}

/* Threads have stacks of their own here. */
void __rz_thread_returned(void) {}

void __rz_thread_left(u32 slot, u32 is_running) { __rz_report_left_thread(slot, is_running); }

/* ---------------------------------------------------------------------------------- held locks */

void __rz_thread_holds(const void *pointer, u32 mode) {
  struct thread *thread = &__rz_threads[__rz_thread];
  u32 lock = address_of(pointer);
  if (mode != 0) {
    u32 stack = __rz_stack_id();
    if (!(mode & LOCK_TRIED)) __rz_lock_taken(thread, lock, mode, stack);
    if (thread->lock_count < MOST_LOCKS) thread->locks[thread->lock_count++] = (struct held_lock){lock, mode, stack};
    return;
  }
  for (u32 i = thread->lock_count; i-- > 0;) {
    if (thread->locks[i].lock != lock) continue;
    for (u32 k = i + 1; k < thread->lock_count; k++) thread->locks[k - 1] = thread->locks[k];
    thread->lock_count--;
    return;
  }
}

/* ----------------------------------------------------------------------- thread-local variables */

/*
 * The copies of threads other than main; those of a thread end with it. Open addressing by slot and
 * variable.
 */
struct copy {
  u32 slot, variable;
  void *memory;
};
#define MOST_COPIES 8192u
#define FREE_AGAIN 0xffffffffu
static struct copy copies[MOST_COPIES];

void *__rz_library_block(u64 bytes);
void __rz_library_free(void *p);

void *__rz_thread_local(void *variable, const void *initial, u64 bytes) {
  u32 slot = __rz_thread, address = address_of(variable);
  if (slot == 0) return variable;
  u32 at = (address * 31 + slot) * 0x9e3779b1u >> 19;
  struct copy *place = 0;
  for (u32 probes = 0; probes < MOST_COPIES; probes++, at = (at + 1) & (MOST_COPIES - 1)) {
    struct copy *copy = &copies[at];
    if (copy->variable == address && copy->slot == slot) return copy->memory;
    if (!place && (copy->variable == 0 || copy->slot == FREE_AGAIN)) place = copy;
    if (copy->variable == 0) break;
  }
  if (!place) return variable;
  *place = (struct copy){slot, address, __rz_library_block(bytes)};
  if (initial) __builtin_memcpy(raw(address_of(place->memory)), raw(address_of(initial)), bytes);
  return place->memory;
}

/* A freed entry is recognised by its slot: a search must not end there. */
static void end_copies(u32 slot) {
  for (u32 i = 0; i < MOST_COPIES; i++) {
    if (copies[i].variable == 0 || copies[i].slot != slot) continue;
    __rz_library_free(copies[i].memory);
    copies[i].slot = FREE_AGAIN;
  }
}
