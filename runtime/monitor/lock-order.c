/*
 * Lock orders: detects deadlocks that another schedule of the same program could have (Bensalem and
 * Havelund, 2005).
 *
 * An *edge* is "a thread that held `first` requested `second`". A cycle of edges is a deadlock if
 * each edge belongs to another thread and all of the threads can wait at once:
 *
 *   - no two of the threads hold another lock in common there, since it would exclude one of them;
 *   - no edge happens before another by the creation or the end of a thread. The order of lock
 *     operations is not considered, since it differs from run to run;
 *   - a thread that requests a read lock waits only for a writer.
 *
 * A try lock or a timed lock does not wait forever, so it adds no edge.
 */
#include "threads.h"

#include "calls.h"
#include "races.h"
#include "report.h"

/*
 * The running thread takes `second` while it holds `first`; another thread held that and requested
 * `asked`.
 */
void __rz_report_lock_order(u32 slot, u32 thread, u32 first, u32 second, u32 asked, u32 held_stack, u32 asked_stack)
    RZ_IMPORT(__rz_report_lock_order);

/* ------------------------------------------------------------ spans between creations and joins */

/* Vector clocks that only the creation and the end of threads advance. */
static u32 spans[THREAD_SLOTS][THREAD_SLOTS];

void __rz_span_created(u32 parent, u32 child) {
  u32 own = spans[child][child];
  for (u32 i = 0; i < THREAD_SLOTS; i++) spans[child][i] = spans[parent][i];
  spans[child][child] = own + 1;
  spans[parent][parent]++;
}

void __rz_span_joined(u32 parent, u32 child) {
  for (u32 i = 0; i < THREAD_SLOTS; i++)
    if (spans[child][i] > spans[parent][i]) spans[parent][i] = spans[child][i];
}

/* ---------------------------------------------------------------------------------------- edges */

#define MOST_GUARDS 4u
struct edge {
  u32 first, second, first_mode, second_mode, slot, thread, span;
  u32 guards[MOST_GUARDS]; /* other locks that the thread held exclusively; truncated */
  u32 first_stack, second_stack, is_reported;
};
#define MOST_EDGES 4096u
static struct edge edges[MOST_EDGES];
static u32 edge_count;

/* Where an edge was found last: most edges are found repeatedly. */
static u32 places[1024];

static int is_same(const struct edge *a, const struct edge *b) {
  int same = a->first == b->first && a->second == b->second && a->first_mode == b->first_mode &&
             a->second_mode == b->second_mode && a->thread == b->thread && a->span == b->span;
  for (u32 i = 0; i < MOST_GUARDS; i++) same &= a->guards[i] == b->guards[i];
  return same;
}

static int is_known(const struct edge *edge) {
  u32 *place = &places[((edge->first * 31 + edge->second) * 31 + edge->thread) * 0x9e3779b1u >> 22];
  if (*place < edge_count && is_same(&edges[*place], edge)) return 1;
  for (u32 i = 0; i < edge_count; i++) {
    if (!is_same(&edges[i], edge)) continue;
    *place = i;
    return 1;
  }
  return 0;
}

/* --------------------------------------------------------------------------------------- cycles */

static int have_common_guard(const struct edge *a, const struct edge *b) {
  for (u32 i = 0; i < MOST_GUARDS; i++)
    for (u32 k = 0; k < MOST_GUARDS; k++)
      if (a->guards[i] != 0 && a->guards[i] == b->guards[k]) return 1;
  return 0;
}

/* Longer cycles are not searched. */
#define MOST_IN_CYCLE 5u
struct cycle {
  const struct edge *edges[MOST_IN_CYCLE];
  u32 length;
};

static int can_join(const struct cycle *cycle, const struct edge *next) {
  const struct edge *last = cycle->edges[cycle->length - 1];
  if (next->first != last->second || (next->first_mode & last->second_mode & LOCK_SHARED)) return 0;
  if (next->span <= spans[__rz_thread][next->slot]) return 0;
  for (u32 i = 0; i < cycle->length; i++)
    if (cycle->edges[i]->thread == next->thread || have_common_guard(cycle->edges[i], next)) return 0;
  return 1;
}

/* Completes a cycle; returns the second edge of it. */
static struct edge *close_cycle(struct cycle *cycle) {
  for (u32 i = 0; i < edge_count; i++) {
    struct edge *next = &edges[i];
    const struct edge *begin = cycle->edges[0];
    if (!can_join(cycle, next)) continue;
    if (next->second == begin->first && !(next->second_mode & begin->first_mode & LOCK_SHARED)) return next;
    if (cycle->length == MOST_IN_CYCLE) continue;
    cycle->edges[cycle->length++] = next;
    const int is_closed = close_cycle(cycle) != 0;
    cycle->length--;
    if (is_closed) return next;
  }
  return 0;
}

static struct edge edge_between(const struct thread *thread, u32 index, u32 lock, u32 mode, u32 stack) {
  const struct held_lock *held = &thread->locks[index];
  struct edge edge = {.first = held->lock,
                      .second = lock,
                      .first_mode = held->mode,
                      .second_mode = mode,
                      .slot = __rz_thread,
                      .thread = thread->id,
                      .span = spans[__rz_thread][__rz_thread],
                      .first_stack = held->stack,
                      .second_stack = stack};
  for (u32 i = 0, count = 0; i < thread->lock_count && count < MOST_GUARDS; i++)
    if (i != index && !(thread->locks[i].mode & LOCK_SHARED)) edge.guards[count++] = thread->locks[i].lock;
  return edge;
}

void __rz_lock_taken(const struct thread *thread, u32 lock, u32 mode, u32 stack) {
  for (u32 i = 0; i < thread->lock_count; i++) {
    if (thread->locks[i].lock == lock || edge_count == MOST_EDGES) continue;
    const struct edge edge = edge_between(thread, i, lock, mode, stack);
    if (is_known(&edge)) continue;
    struct cycle cycle = {{&edge}, 1};
    struct edge *back = close_cycle(&cycle);
    edges[edge_count++] = edge;
    if (!back || back->is_reported) continue;
    back->is_reported = 1;
    __rz_report_lock_order(back->slot, back->thread, edge.first, lock, back->second, back->first_stack,
                           back->second_stack);
  }
}

void __rz_forget_locks(u32 address, u64 bytes) {
  u32 kept = 0;
  for (u32 i = 0; i < edge_count; i++)
    if (edges[i].first - address >= bytes && edges[i].second - address >= bytes) edges[kept++] = edges[i];
  edge_count = kept;
}
