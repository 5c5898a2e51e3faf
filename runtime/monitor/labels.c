/* Labels of values and of memory: see labels.h. */
#include "labels.h"

#include "report.h"

/* The labels of arguments and results, which instrument/label-flow.ts writes and reads. */
#define MOST_ARGUMENTS 64
#define MOST_VARIADIC_WORDS 1024
u32 __rz_label_arguments[MOST_ARGUMENTS], __rz_label_result, __rz_label_variadic[MOST_VARIADIC_WORDS];

/*
 * The sets of names that the user requested: `--taint` and `--secret`. Set before the program
 * starts.
 */
static u32 tainted, secret;

static u32 next_node = 1, next_slot = 1, free_slot;

/* A value reaches a sink, or the program asserts that it has no label. */
void __rz_report_flow(u32 label, u32 kind, u32 is_secret, u32 site) RZ_IMPORT(__rz_report_flow);
/*
 * A function that is a source has returned bytes: the numbers of their name and of this location.
 */
u32 __rz_label_rule_name(u32 rule) RZ_IMPORT(__rz_label_rule_name);
u32 __rz_label_rule_source(u32 rule) RZ_IMPORT(__rz_label_rule_source);

void __rz_labels_start(u32 tainted_names, u32 secret_names) {
  tainted = tainted_names, secret = secret_names;
  __rz_marking |= MARKING_LABELS;
}

/* ---------------------------------------------------------------------------------------- nodes */

static u32 hash_of(const struct label_node *n) {
  const u32 *words = (const u32 *)n;
  u32 hash = 0x9e3779b9u;
  for (u32 i = 0; i < sizeof *n / 4; i++) hash = (hash ^ words[i]) * 0x85ebca6bu, hash ^= hash >> 15;
  return hash;
}

static int is_same(const struct label_node *a, const struct label_node *b) {
  return __builtin_memcmp(a, b, sizeof *a) == 0;
}

static u32 node(const struct label_node *wanted) {
  if (wanted->names == 0) return 0;
  for (u32 at = hash_of(wanted);; at++) {
    u32 *entry = LABEL_TABLE + (at & (LABEL_TABLE_LENGTH - 1));
    if (*entry) {
      if (is_same(LABEL_NODES + *entry, wanted)) return *entry;
      continue;
    }
    if (next_node >= LABEL_NODES_END) {
/*
 * Names alone make as many nodes as there are sets of them; if even these are too many, one node
 * represents all.
 */
      struct label_node plain = {.names = next_node < LABEL_NODES_LAST ? wanted->names : ~0u};
      if (!is_same(&plain, wanted)) return node(&plain);
    }
    LABEL_NODES[next_node] = *wanted;
    return *entry = next_node++;
  }
}

u32 __rz_label_union(u32 a, u32 b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  const struct label_node *x = LABEL_NODES + a, *y = LABEL_NODES + b;
  struct label_node both = *x;
  both.names |= y->names;
  if (x->source == y->source) {
    if (y->first < both.first) both.first = y->first;
    if (y->last > both.last) both.last = y->last;
  }
  if (!both.way[0])
    for (u32 i = 0; i < WAY_LENGTH; i++) both.way[i] = y->way[i];
  return node(&both);
}

u32 __rz_label_step(u32 label, u32 site) {
  if (label == 0 || site == 0 || LABEL_NODES[label].way[0] == site) return label;
  struct label_node moved = LABEL_NODES[label];
  for (u32 i = WAY_LENGTH - 1; i > 0; i--) moved.way[i] = moved.way[i - 1];
  moved.way[0] = site;
  return node(&moved);
}

/* --------------------------------------------------------------------------------------- memory */

static u32 label_at(u32 address) {
  u32 word = LABEL_WORDS[address >> 3];
  if (word == 0) return 0;
  return word & WHOLE_GRANULE ? word & ~WHOLE_GRANULE : LABEL_SLOTS[word].of[address & 7];
}

static void free_word(u32 *word) {
  if (*word && !(*word & WHOLE_GRANULE)) LABEL_SLOTS[*word].of[0] = free_slot, free_slot = *word;
  *word = 0;
}

/* Called before the word of a granule changes from 0. */
static void begin_labels(const u32 *word) { __rz_cut_marked((u32)(word - LABEL_WORDS) << 3, 8); }

static void set_granule(u32 *word, u32 label) {
  if (*word == 0 && label) begin_labels(word);
  free_word(word);
  if (label) *word = label | WHOLE_GRANULE;
}

static u32 take_slot(void) {
  u32 slot = free_slot;
  if (slot) free_slot = LABEL_SLOTS[slot].of[0];
  else if (next_slot < LABEL_SLOTS_END) slot = next_slot++;
  return slot;
}

static void set_label(u32 address, u32 label) {
  u32 *word = LABEL_WORDS + (address >> 3), whole = *word & ~WHOLE_GRANULE;
  if (*word == 0 && label == 0) return;
  if (*word == 0) begin_labels(word);
  if (*word == 0 || *word & WHOLE_GRANULE) {
    if (*word && whole == label) return;
    u32 slot = take_slot();
    if (!slot) {
      *word = __rz_label_union(whole, label) | WHOLE_GRANULE;
      return;
    }
    for (u32 i = 0; i < 8; i++) LABEL_SLOTS[slot].of[i] = *word ? whole : 0;
    *word = slot;
  }
  struct label_slot *slot = LABEL_SLOTS + *word;
  slot->of[address & 7] = label;
  if (label) return;
  for (u32 i = 0; i < 8; i++)
    if (slot->of[i]) return;
  free_word(word);
}

/* A range that leaves client memory is an error that is reported elsewhere. */
static u32 bytes_within(u32 address, u64 bytes) {
  if (address >= CLIENT_END) return 0;
  return bytes < CLIENT_END - address ? (u32)bytes : CLIENT_END - address;
}

static int has_labels(u32 first, u32 bytes) {
  if (bytes == 0) return 0;
  u32 g = first >> 3, last = (first + bytes - 1) >> 3;
  for (; g + 1 < last; g += 2) {
    u64 pair;
    __builtin_memcpy(&pair, LABEL_WORDS + g, sizeof pair);
    if (pair) return 1;
  }
  for (; g <= last; g++)
    if (LABEL_WORDS[g]) return 1;
  return 0;
}

u32 __rz_label_load(const void *p, u64 bytes) {
  u32 first = address_of(p), n = bytes_within(first, bytes), label = 0;
  for (u32 at = first; at - first < n;) {
    if (LABEL_WORDS[at >> 3] == 0) {
      at = (at | 7) + 1;
      continue;
    }
    label = __rz_label_union(label, label_at(at++));
  }
  return label;
}

void __rz_label_store(const void *p, u64 bytes, u32 label, u32 site) {
  u32 at = address_of(p), end = at + bytes_within(at, bytes);
  label = __rz_label_step(label, site);
  while (at < end) {
    if ((at & 7) == 0 && end - at >= 8) set_granule(LABEL_WORDS + (at >> 3), label), at += 8;
    else set_label(at++, label);
  }
}

void __rz_label_clear(u32 first, u32 bytes) {
  u32 at = first, end = first + bytes_within(first, bytes);
  while (at < end) {
    if (LABEL_WORDS[at >> 3] == 0) at = (at | 7) + 1;
    else set_label(at++, 0);
  }
}

void __rz_label_copy(const void *d, const void *s, u64 bytes, u32 site) {
  u32 to = address_of(d), from = address_of(s);
  u32 n = bytes_within(to, bytes), readable = bytes_within(from, n);
  if (readable < n) n = readable;
  if (to == from || (!has_labels(from, n) && !has_labels(to, n))) return;
  if (to < from)
    for (u32 i = 0; i < n; i++) set_label(to + i, __rz_label_step(label_at(from + i), site));
  else
    for (u32 i = n; i-- > 0;) set_label(to + i, __rz_label_step(label_at(from + i), site));
}

/* Called at the start of a variadic function: the buffer holds the arguments of the call. */
void __rz_label_receive(const void *buffer, u32 bytes) {
  u32 address = address_of(buffer);
  for (u32 at = 0; at < bytes; at += 4) {
    u32 label = at / 4 < MOST_VARIADIC_WORDS ? __rz_label_variadic[at / 4] : 0;
    __rz_label_store(raw(address + at), bytes - at < 4 ? bytes - at : 4, label, 0);
  }
}

/* Labels bytes from outside: the first is byte `offset` of the source. */
void __rz_label_input(u32 address, u32 bytes, u32 names, u32 source, u32 offset) {
  for (u32 i = 0; i < bytes_within(address, bytes); i++) {
    struct label_node made = {.names = names, .source = source, .first = offset + i, .last = offset + i};
    set_label(address + i, node(&made));
  }
}

/* ---------------------------------------------------------------------------------------- sinks */

/* The order is that of `sinkKinds` in src/labels/flow-rules.ts. */
enum sink_kind { SINK_EXPECTED_NONE = 0, SINK_INDEX = 2, SINK_BRANCH = 9 };

/* Sinks from SINK_BRANCH on concern secrets only. */
void __rz_label_sink(u32 label, u32 kind, u32 site) {
  u32 names = LABEL_NODES[label].names;
  if (names & tainted && kind < SINK_BRANCH) __rz_report_flow(label, kind, 0, site);
  if (names & secret && (kind == SINK_INDEX || kind >= SINK_BRANCH)) __rz_report_flow(label, kind, 1, site);
}

static u64 text_bytes(const void *p, u64 bytes) {
  u32 first = address_of(p), n = 0;
  if (bytes != ~0ul) return bytes;
  while (n < bytes_within(first, bytes) && *(const u8 *)raw(first + n)) n++;
  return n;
}

void __rz_label_sink_bytes(const void *p, u64 bytes, u32 kind, u32 site) {
  if (kind >= SINK_BRANCH && !secret) return;
  u32 label = __rz_label_load(p, text_bytes(p, bytes));
  if (label) __rz_label_sink(label, kind, site);
}

/* Labels of functions that the user declared as sources or sanitizers. */
u32 __rz_label_new(u32 rule) {
  struct label_node made = {.names = 1u << __rz_label_rule_name(rule), .source = __rz_label_rule_source(rule)};
  return node(&made);
}

void __rz_label_mark(const void *p, u64 bytes, u32 rule) {
  u32 names = 1u << __rz_label_rule_name(rule), source = __rz_label_rule_source(rule);
  if ((long)text_bytes(p, bytes) > 0) __rz_label_input(address_of(p), (u32)text_bytes(p, bytes), names, source, 0);
}

void __rz_label_sanitize(const void *p, u64 bytes) { __rz_label_clear(address_of(p), (u32)text_bytes(p, bytes)); }

/* ------------------------------------------------------------------ functions of <redzone.h> */

/* Adds a name to the labels of the bytes. */
void __rz_label_add(const void *p, u64 bytes, u32 names, u32 source) {
  u32 first = address_of(p), n = bytes_within(first, bytes);
  for (u32 i = 0; i < n; i++) {
    struct label_node made = {.names = names, .source = source, .first = i, .last = i};
    set_label(first + i, __rz_label_union(node(&made), label_at(first + i)));
  }
}

u32 __rz_label_names(const void *p, u64 bytes) {
  u32 label = __rz_label_load(p, bytes);
  return label ? LABEL_NODES[label].names : 0;
}

void __rz_label_expect_none(const void *p, u64 bytes, u32 names) {
  u32 first = address_of(p), n = bytes_within(first, bytes), label = 0;
  for (u32 i = 0; i < n; i++)
    if (LABEL_NODES[label_at(first + i)].names & names) label = __rz_label_union(label, label_at(first + i));
  if (label) __rz_report_flow(label, SINK_EXPECTED_NONE, 0, 0);
}
