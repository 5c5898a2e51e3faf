/*
 * The latest window of each block is cached by the block's number, so that it is found at once and
 * growing it examines no granule twice. It need not be removed when the block ends: the queried
 * granule shows that, because the number of a block is never reused. (When numbers start anew, all
 * windows are cleared.)
 *
 * A large structure has several plain parts, with bytes between them that were never written, and a
 * loop may alternate between them. So the part of a window in one *stretch* of memory is cached as
 * well, by number and stretch: an earlier part is found again without a search.
 *
 * Cached windows have plain granules only. The initialised bytes with which the granule after them
 * begins are added to each answer: the last element of an array with an odd number of `int`s, and
 * of one that is half filled, belongs to the window then (docs/decisions/0265).
 */
#include "window.h"

#include "calls.h"
#include "check.h"
#include "marks.h"

#define KEPT 4096u

struct window {
  u32 number, first, end;
};

static struct window kept[KEPT];

/*
 * 8 KiB. A window in a stretch covers nothing outside it, so that one entry determines what to
 * cut.
 */
#define STRETCH_BITS 10
static struct window stretches[KEPT];

static inline struct window *window_of(u32 number) { return kept + (number & (KEPT - 1)); }
static inline struct window *stretch_of(u32 number, u32 g) {
  return stretches + ((number * 31 + (g >> STRETCH_BITS)) & (KEPT - 1));
}
static inline int covers(const struct window *w, u32 number, u32 g) { return w->number == number && g - w->first < w->end - w->first; }

/*
 * The number of granules that a search may still examine. Each search adds a little, so that many
 * small ones are always possible, and a program that queries ever different parts of large blocks
 * gets small windows instead of long searches.
 */
#define CREDIT_EARNED 256u
#define CREDIT_AT_MOST (1u << 22)

static u32 credit = CREDIT_AT_MOST;

static void cut(struct window *w, u32 number, u32 g) {
  if (!covers(w, number, g)) return;
  if (g - w->first < w->end - g) w->first = g + 1;
  else w->end = g;
}

void __rz_cut_window(u32 number, u32 g) {
  cut(window_of(number), number, g);
  cut(stretch_of(number, g), number, g);
}

u32 __rz_marking, __rz_watched[MOST_PLUGIN_SHADOWS];

static u32 page_of(u32 g, u32 shadow) { return PLUGIN_DIRECTORIES[shadow * PLUGIN_DIRECTORY_LENGTH + (g >> 13)]; }

static int has_cells(u32 g, u32 shadow) {
  u32 page = page_of(g, shadow), bits = __rz_watched[shadow];
  if (page == 0) return 0;
  u32 bit = (g & 0x1fff) * bits;
  const u8 *cells = PLUGIN_PAGES + page + (bit >> 3);
  if (bits < 8) return cells[0] >> (bit & 7) & ((1u << bits) - 1);
  for (u32 i = 0; i < bits / 8; i++)
    if (cells[i]) return 1;
  return 0;
}

int __rz_has_mark(u32 g) {
  if (__rz_marking & MARKING_LABELS && LABEL_WORDS[g]) return 1;
  if (!(__rz_marking & MARKING_CELLS)) return 0;
  for (u32 i = 0; i < MOST_PLUGIN_SHADOWS; i++)
    if (__rz_watched[i] && has_cells(g, i)) return 1;
  return 0;
}

void __rz_cut_marked(u32 first, u32 bytes) {
  if (bytes == 0 || first >= CLIENT_END) return;
  u32 last = bytes < CLIENT_END - first ? first + bytes - 1 : CLIENT_END - 1;
  for (u32 g = first >> 3; g <= last >> 3; g++)
    if (TAGS[g] >= PLAIN) __rz_cut_window(owner_of(TAGS[g]), g);
}

/*
 * The first marked granule in [first, end), or `end`. A page of a shadow that was never allocated
 * takes one step.
 */
static u32 first_marked(u32 first, u32 end) {
  if (__rz_marking & MARKING_LABELS) {
    u32 g = first;
    while (g < end && LABEL_WORDS[g] == 0) g++;
    end = g;
  }
  if (!(__rz_marking & MARKING_CELLS)) return end;
  for (u32 shadow = 0; shadow < MOST_PLUGIN_SHADOWS; shadow++) {
    if (!__rz_watched[shadow]) continue;
    for (u32 g = first; g < end;) {
      if (!page_of(g, shadow)) g = (g | 0x1fff) + 1;
      else if (has_cells(g, shadow)) end = g;
      else g++;
    }
  }
  return end;
}

u32 __rz_unmarked(const void *p, u32 bytes) {
  u32 first = address_of(p), end = (first + bytes + 7) >> 3;
  if (first >= CLIENT_END || bytes > CLIENT_END - first) return 0;
  return first_marked(first >> 3, end) == end;
}

/* Whether a cell of these granules, which are in one page of the shadow, is set. */
static int has_cells_within(u32 first, u32 last, u32 shadow) {
  u32 page = page_of(first, shadow), bits = __rz_watched[shadow];
  if (page == 0) return 0;
  if (bits < 8) {
    for (u32 g = first; g <= last; g++)
      if (has_cells(g, shadow)) return 1;
    return 0;
  }
  const u8 *cell = PLUGIN_PAGES + page + (first & 0x1fff) * (bits / 8), *end = cell + (last - first + 1) * (bits / 8);
  for (; end - cell >= 8; cell += 8) {
    u64 word;
    __builtin_memcpy(&word, cell, sizeof word);
    if (word) return 1;
  }
  for (; cell < end; cell++)
    if (*cell) return 1;
  return 0;
}

u32 __rz_no_cells(const void *p, u64 bytes) {
  u32 first = address_of(p);
  if (!(__rz_marking & MARKING_CELLS) || first >= CLIENT_END || bytes > CLIENT_END - first) return 0;
  if (bytes == 0) return 1;
  u32 end = first + (u32)bytes - 1;
  for (u32 shadow = 0; shadow < MOST_PLUGIN_SHADOWS; shadow++) {
    if (!__rz_watched[shadow]) continue;
    for (u32 g = first >> 3; g <= end >> 3; g = (g | 0x1fff) + 1)
      if (has_cells_within(g, (g | 0x1fff) < end >> 3 ? g | 0x1fff : end >> 3, shadow)) return 0;
  }
  return 1;
}

u32 __rz_set_cells(const void *p, u64 bytes, u32 shadow, u32 kind, u32 to) {
  u32 first = address_of(p), step = kind >> 8, bits = kind & 0xff;
  if (first >= CLIENT_END || bytes > CLIENT_END - first) return 0;
  if (bytes == 0) return 1;
  u32 last = first + (u32)bytes - 1;
  const u32 *directory = PLUGIN_DIRECTORIES + shadow * PLUGIN_DIRECTORY_LENGTH;
  for (u32 page = first >> 16; page <= last >> 16; page++)
    if (to && directory[page] == 0) return 0;
  for (u32 at = first & -step; at <= last; at += step) {
    if (directory[at >> 16] == 0) continue;
    u32 bit = (at & 0xffff) / step * bits;
    u8 *cell = (u8 *)PLUGIN_PAGES + directory[at >> 16] + (bit >> 3);
    if (bits == 8) *cell = (u8)to;
    else if (bits > 8) __builtin_memcpy(cell, &to, bits / 8);
    else {
      u32 mask = ((1u << bits) - 1) << (bit & 7);
      *cell = (u8)((*cell & ~mask) | (to << (bit & 7) & mask));
    }
  }
  if (to && __rz_marking & MARKING_CELLS) __rz_cut_marked(first, (u32)bytes);
  return 1;
}

struct library_settings __rz_library_settings = {.program_slot = ~0u};

u32 __rz_library_access(const void *p, u64 bytes, u32 is_store) {
  if (__rz_no_cells(p, bytes)) return 1;
  const struct library_settings *all = &__rz_library_settings;
  if (all->of[is_store].count == 0 || __rz_depth <= all->program_slot) return 0;
  for (u32 i = 0; i < all->of[is_store].count; i++)
    if (!__rz_set_cells(p, bytes, all->of[is_store].each[i].shadow, all->of[is_store].each[i].kind, all->of[is_store].each[i].to))
      return 0;
  return 1;
}

void __rz_forget_windows(void) {
  __builtin_memset(kept, 0, sizeof kept);
  __builtin_memset(stretches, 0, sizeof stretches);
}

void __rz_seldom(void) {}

/* The granule after the last marked one in [first, end), or `first`. */
static u32 after_last_marked(u32 first, u32 end) {
  if (__rz_marking & MARKING_LABELS) {
    u32 g = end;
    while (g > first && LABEL_WORDS[g - 1] == 0) g--;
    first = g;
  }
  if (!(__rz_marking & MARKING_CELLS)) return first;
  for (u32 shadow = 0; shadow < MOST_PLUGIN_SHADOWS; shadow++) {
    if (!__rz_watched[shadow]) continue;
    for (u32 g = end; g > first;) {
      if (!page_of(g - 1, shadow)) g = (g - 1) & ~0x1fffu;
      else if (has_cells(g - 1, shadow)) first = g;
      else g--;
    }
  }
  return first;
}

/* The first granule at or after g that is not plain or is marked, as far as `stop`. */
static u32 end_of_plain(u32 g, u32 stop, u32 word) {
  const u32 start = g;
  while (g + 4 <= stop && !((TAGS[g] ^ word) | (TAGS[g + 1] ^ word) | (TAGS[g + 2] ^ word) | (TAGS[g + 3] ^ word))) g += 4;
  while (g < stop && TAGS[g] == word) g++;
  return __rz_marking ? first_marked(start, g) : g;
}

/* The first granule of the plain and unmarked ones that end before g, as far back as `stop`. */
static u32 start_of_plain(u32 g, u32 stop, u32 word) {
  const u32 end = g;
  while (g >= stop + 4 && !((TAGS[g - 1] ^ word) | (TAGS[g - 2] ^ word) | (TAGS[g - 3] ^ word) | (TAGS[g - 4] ^ word))) g -= 4;
  while (g > stop && TAGS[g - 1] == word) g--;
  return __rz_marking ? after_last_marked(g, end) : g;
}

static void widen(struct window *w, u32 g, u32 number) {
  u32 word = word_for(number), none = w->number != number;
  u32 lowest = g > credit ? g - credit : 0, highest = g + credit < CLIENT_END >> 3 ? g + credit : CLIENT_END >> 3;
  u32 before = none || w->end > g || w->end < lowest ? lowest : w->end;
  u32 after = none || w->first <= g || w->first > highest ? highest : w->first;
  u32 first = start_of_plain(g, before, word), end = end_of_plain(g, after, word);
  u32 seen = end - first;
  credit = credit > seen ? credit - seen : 0;
  credit = credit + CREDIT_EARNED < CREDIT_AT_MOST ? credit + CREDIT_EARNED : CREDIT_AT_MOST;
  if (!none && first == w->end) first = w->first;
  if (!none && end == w->first) end = w->end;
  w->number = number, w->first = first, w->end = end;
}

/* The part of a window that lies in the stretch of g. */
static void keep_stretch(const struct window *w, u32 g) {
  u32 start = g >> STRETCH_BITS << STRETCH_BITS, end = start + (1u << STRETCH_BITS);
  *stretch_of(w->number, g) =
      (struct window){w->number, w->first > start ? w->first : start, w->end < end ? w->end : end};
}

/* Granules after the window have become plain since it was found: a loop has filled them. */
static __attribute__((noinline)) void grow(struct window *w) {
  u32 end = w->end, left = (CLIENT_END >> 3) - end;
  w->end = end_of_plain(end, end + (credit < left ? credit : left), word_for(w->number));
  credit -= w->end - end;
}

/* A window with the plain granule g. */
static const struct window *find(u32 number, u32 g) {
  struct window *w = window_of(number);
  if (covers(w, number, g)) {
    if (TAGS[w->end] == word_for(number) && !is_marked(w->end)) grow(w);
    return w;
  }
  const struct window *part = stretch_of(number, g);
  if (covers(part, number, g)) return part;
  widen(w, g, number);
  keep_stretch(w, g);
  return w;
}

/*
 * The number of accessible and initialised bytes with which a granule of the block begins that is
 * not plain.
 */
static inline u32 written_bytes(u32 number, u32 g) {
  if (g >= CLIENT_END >> 3 || TAGS[g] != special_word_for(number) || is_marked(g)) return 0;
  return (u32)__builtin_ctz(~(u32)INIT[g]);
}

u64 __rz_window(const void *p, u32 access, u32 writes) {
  u32 number = number_of(p), address = address_of(p), g = address >> 3, bytes = access & ~MUST_BE_ALIGNED;
  if (access != bytes && address & (bytes - 1)) return 0;
  if (number == 0 || address >= CLIENT_END || TAGS[g] != word_for(number) || is_marked(g)) return 0;
  if (writes && number & CONSTANT_BIT) return 0;
  const struct window *w = find(number, g);
  u32 length = ((w->end - w->first) << 3) + written_bytes(number, w->end);
  return length < bytes ? 0 : (u64)(length - bytes + 1) << 32 | w->first << 3;
}

u64 __rz_first_window(const void *p, u32 access, u32 writes) { return __rz_window(p, access, writes); }
