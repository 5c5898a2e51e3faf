/*
 * Frames of `assigns`: the bytes that may be written while a call or a loop runs. Frames nest, and
 * a write must be allowed by all open ones.
 *
 * Objects that began after the frame was opened (fresh blocks, locals of callees) are not checked,
 * nor are the locals of the function itself, which are recognised by the depth of their call in the
 * record of their number.
 *
 * The frames are a list and not a bit per byte in the shadow, because they open and close with
 * every call: a list of ranges costs nothing until something is written, whereas bits would have
 * to be set and cleared for every byte of an array.
 */
#include "../acsl/acsl.h"

#include "calls.h"
#include "report.h"
#include "ring.h"

/* `site` is the site of the write, if it happened earlier. */
void __rz_report_assigns(const struct __rz_note *note, u32 address, u32 number, u64 bytes, u32 site) RZ_IMPORT(__rz_report_assigns);

struct range {
  u32 first, end;
};

/*
 * The innermost open frame, or null: read by the hooks that `src/monitor/assigns-hooks.ts` inserts
 * before each store.
 */
struct __rz_frame *__rz_frames;

/*
 * All open frames. They are locals of the program, which longjmp leaves without closing them: the
 * data to detect that is kept here, and nothing is read from a frame that may be gone.
 */
#define MOST_FRAMES 4096u
static struct {
  struct __rz_frame *frame;
  u32 depth;
} opened[MOST_FRAMES];
static u32 open_count;

static void cut_frames(u32 count) {
  open_count = count;
  __rz_frames = count ? opened[count - 1].frame : 0;
}

static struct range *ranges(const struct __rz_frame *frame) { return raw(frame->ranges); }

void __rz_frame_open(struct __rz_frame *frame, const struct __rz_note *note) {
  *frame = (struct __rz_frame){.note = note, .arena = __rz_arena_top};
}

/* Makes room for one more entry in a list; lists only grow, in the arena. */
static u32 grown(u32 list, u32 count, u32 *capacity, u32 each) {
  if (count < *capacity) return list;
  u32 at = (__rz_arena_top + 7) & ~7u;
  *capacity = *capacity ? *capacity * 2 : 4;
  __rz_arena_top = at + *capacity * each;
  __builtin_memcpy(raw(at), raw(list), (u64)count * each);
  return at;
}

void __rz_frame_allow(struct __rz_frame *frame, const volatile void *p, long bytes) {
  if (bytes <= 0) return;
  frame->ranges = grown(frame->ranges, frame->count, &frame->capacity, sizeof(struct range));
  u32 first = (u32)(u64)p;
  ranges(frame)[frame->count++] = (struct range){first, first + (u32)bytes};
}

void __rz_frame_enter(struct __rz_frame *frame) {
  u32 count = open_count;
  while (count && opened[count - 1].depth > __rz_depth) count--;
  frame->since = __rz_next_count;
  frame->depth = __rz_depth;
  cut_frames(count);
  if (count == MOST_FRAMES) return;
  opened[count].frame = frame, opened[count].depth = __rz_depth;
  cut_frames(count + 1);
}

void __rz_frame_close(struct __rz_frame *frame) {
  for (u32 i = open_count; i-- > 0;) {
    if (opened[i].frame != frame) continue;
    cut_frames(i);
    __rz_arena_top = frame->arena;
    return;
  }
}

void __rz_frames_abandon(const void *stack) {
  u32 count = open_count;
  while (count && address_of(opened[count - 1].frame) < address_of(stack)) count--;
  cut_frames(count);
}

static int is_exempt(const struct __rz_frame *frame, u32 number, u32 address) {
  int is_dynamic = number != 0 && number <= LAST_DYNAMIC_NUMBER;
  if (number == 0) return address < CLIENT_END && word_at(address >> 3) == NO_BLOCK;
  if (!is_dynamic) return 0;
  if (count_of(number) >= frame->since) return 1;
  const struct retired *entry = __rz_entry_of(number);
  return entry && entry->kind != BLOCK_HEAP && entry->end >= frame->depth;
}

static int is_allowed(const struct __rz_frame *frame, u32 first, u64 bytes) {
  for (u32 i = 0; i < frame->count; i++) {
    const struct range *range = ranges(frame) + i;
    if (range->first <= first && first + bytes <= range->end) return 1;
  }
  /* Different ranges may allow different parts of the bytes. */
  for (u64 at = first; at < first + bytes;) {
    u64 next = at;
    for (u32 i = 0; i < frame->count; i++) {
      const struct range *range = ranges(frame) + i;
      if (range->first <= at && at < range->end && range->end > next) next = range->end;
    }
    if (next == at) return 0;
    at = next;
  }
  return 1;
}

/* Writes of an iteration that is not over yet. */
struct pending {
  u32 first, bytes, number, site;
};

static struct pending *pending(const struct __rz_frame *frame) { return raw(frame->pending); }

static void defer(struct __rz_frame *frame, u32 first, u64 bytes, u32 number) {
  frame->pending = grown(frame->pending, frame->pending_count, &frame->pending_capacity, sizeof(struct pending));
  u32 site = __rz_depth == CALLS_START ? 0 : ((const u32 *)(u64)__rz_depth)[-1];
  pending(frame)[frame->pending_count++] = (struct pending){first, (u32)bytes, number, site};
}

void __rz_frame_defer(struct __rz_frame *frame) { frame->deferred = 1; }

void __rz_frame_again(struct __rz_frame *frame) { frame->count = 0; }

void __rz_frame_settle(struct __rz_frame *frame) {
  u32 count = frame->pending_count;
  frame->pending_count = 0;
  for (u32 i = 0; i < count; i++) {
    const struct pending *p = pending(frame) + i;
    if (!is_allowed(frame, p->first, p->bytes)) __rz_report_assigns(frame->note, p->first, p->number, p->bytes, p->site);
  }
}

/* Called before a write while frames are open. */
void __rz_assigns_check(const void *p, u64 bytes) {
  u32 number = effective_number(p), first = address_of(p);
  if (bytes == 0) return;
  for (u32 i = open_count; i-- > 0;) {
    struct __rz_frame *frame = opened[i].frame;
    if (is_exempt(frame, number, first) || is_allowed(frame, first, bytes)) continue;
    if (frame->deferred) defer(frame, first, bytes, number);
    else __rz_report_assigns(frame->note, first, number, bytes, 0);
  }
}
