/*
 * Patterns with back-references: what \1 matches depends on how the text before was divided, so the
 * ways through the code are tried one after the other, greedy ones first, and the longest match is
 * kept. This may take time exponential in the text; POSIX's back-references are NP-hard.
 *
 * One stack holds both the ways that are still open and the values to bring back on the way to
 * them:
 *
 *     [branch pc at] [restore slot value] [restore slot value] [branch pc at] ...
 */
#include "regex-program.h"

#include <ctype.h>
#include <stdlib.h>

#define UNSET ((size_t)-1)

struct entry {
  int pc;        /* of a branch; -1 - slot for a value to restore */
  size_t value;  /* where in the text; the slot's old value */
};

struct backtracker {
  const struct __rz_regex *regex;
  const struct __rz_regex_text *text;
  size_t *slots;          /* two for each group (begin, end), two for each loop (round's begin, rounds) */
  int slot_count;
  struct entry *stack;
  int depth, capacity;
  int error;
};

static void push(struct backtracker *b, int pc, size_t value) {
  struct entry *stack = __rz_regex_grow(b->stack, b->depth, &b->capacity, sizeof *stack);
  if (!stack) {
    b->error = REG_ESPACE;
    return;
  }
  b->stack = stack;
  stack[b->depth++] = (struct entry){pc, value};
}

static void set(struct backtracker *b, int slot, size_t value) {
  if (b->slots[slot] == value) return;
  push(b, -1 - slot, b->slots[slot]);
  b->slots[slot] = value;
}

static int loop_slot(const struct backtracker *b, int loop) { return 2 * (b->regex->group_count + 1 + loop); }

static int same_byte(const struct backtracker *b, unsigned char x, unsigned char y) {
  return x == y || ((b->regex->flags & REG_ICASE) && toupper(x) == toupper(y));
}

/* After the text of the group, repeated at `at`; UNSET if it is not there. */
static size_t match_group_again(const struct backtracker *b, int group, size_t at) {
  const size_t begin = b->slots[2 * group], end = b->slots[2 * group + 1];
  if (begin == UNSET || end == UNSET || end - begin > b->text->end - at) return UNSET;
  for (size_t i = begin; i < end; i++, at++) {
    if (!same_byte(b, b->text->bytes[i], b->text->bytes[at])) return UNSET;
  }
  return at;
}

/* A round of a loop ended at `at`: the next instruction, or -1 if this way is a dead end. */
static int end_round(struct backtracker *b, int pc, size_t at) {
  const struct __rz_regex_instruction *in = &b->regex->code[FORWARD].at[pc];
  const int slot = loop_slot(b, in->value);
  const size_t rounds = b->slots[slot + 1];
  if (b->slots[slot] == at) return rounds == 0 ? pc + 1 : -1;
  push(b, pc + 1, at);
  set(b, slot + 1, rounds + 1);
  return in->target;
}

static void open_group(struct backtracker *b, const struct __rz_regex_instruction *in, size_t at) {
  for (int inside = in->value; inside <= in->target; inside++) {
    set(b, 2 * inside, UNSET);
    set(b, 2 * inside + 1, UNSET);
  }
  set(b, 2 * in->value, at);
}

/* Follows one way from pc until it matches or dies: where it ends, or UNSET. */
static size_t follow(struct backtracker *b, int pc, size_t at) {
  const struct __rz_regex_code *code = &b->regex->code[FORWARD];
  while (pc >= 0 && pc < code->count && !b->error) {
    const struct __rz_regex_instruction *in = &code->at[pc];
    const int has_byte = at < b->text->end;
    switch (in->opcode) {
      case OP_BYTE:
        if (!has_byte || b->text->bytes[at] != in->value) return UNSET;
        at++, pc++;
        break;
      case OP_SET:
        if (!has_byte || !__rz_regex_set_has(&b->regex->sets[in->value], b->text->bytes[at])) return UNSET;
        at++, pc++;
        break;
      case OP_ASSERT:
        if (!__rz_regex_holds(b->regex, b->text, in->value, at)) return UNSET;
        pc++;
        break;
      case OP_SPLIT: push(b, in->target, at), pc++; break;
      case OP_JUMP: pc = in->target; break;
      case OP_OPEN: open_group(b, in, at), pc++; break;
      case OP_CLOSE: set(b, 2 * in->value + 1, at), pc++; break;
      case OP_LOOP: set(b, loop_slot(b, in->value) + 1, 0), pc++; break;
      case OP_ITERATE: set(b, loop_slot(b, in->value), at), pc++; break;
      case OP_NEXT: pc = end_round(b, pc, at); break;
      default:
        at = match_group_again(b, in->value, at);
        if (at == UNSET) return UNSET;
        pc++;
        break;
    }
  }
  return pc < 0 ? UNSET : at;
}

/* The longest match from `start`, with its groups in matches; false if there is none. */
static int match_from(struct backtracker *b, size_t start, regmatch_t *matches) {
  size_t longest = UNSET;
  for (int i = 0; i < b->slot_count; i++) b->slots[i] = UNSET;
  b->depth = 0;
  push(b, 0, start);
  while (b->depth > 0 && !b->error) {
    const struct entry entry = b->stack[--b->depth];
    if (entry.pc < 0) {
      b->slots[-1 - entry.pc] = entry.value;
      continue;
    }
    const size_t end = follow(b, entry.pc, entry.value);
    if (end == UNSET || (longest != UNSET && end <= longest)) continue;
    longest = end;
    matches[0] = (regmatch_t){(regoff_t)start, (regoff_t)end};
    for (int group = 1; group <= b->regex->group_count; group++) {
      const size_t to = b->slots[2 * group + 1];
      matches[group] = to == UNSET ? (regmatch_t){-1, -1} : (regmatch_t){(regoff_t)b->slots[2 * group], (regoff_t)to};
    }
    if (end == b->text->end) break;
  }
  return longest != UNSET;
}

int __rz_regex_backtrack(const struct __rz_regex *regex, const struct __rz_regex_text *text, regmatch_t *matches) {
  struct backtracker b = {.regex = regex, .text = text, .slot_count = 2 * (regex->group_count + 1 + regex->loop_count)};
  b.slots = malloc((size_t)b.slot_count * sizeof *b.slots);
  int result = b.slots ? REG_NOMATCH : REG_ESPACE;
  for (size_t at = text->begin; at <= text->end && result == REG_NOMATCH; at++) {
    if (match_from(&b, at, matches)) result = 0;
    if (b.error) result = b.error;
  }
  free(b.slots);
  free(b.stack);
  return result;
}
