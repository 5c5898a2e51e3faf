/*
 * All ways through the code at once. A thread is a place in the code that one of the ways has
 * reached; two that reach the same place are one from there on, so there are never more threads
 * than instructions.
 *
 * Invariant of a search: the list of threads is ordered by where their match began. Threads are
 * added in that order, and of two that meet, the first stays: the one that began further left.
 */
#include "regex-program.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- assertions ---- */

static int is_word_at(const struct __rz_regex_text *text, size_t at) {
  if (at >= text->end) return 0;
  const int byte = text->bytes[at];
  return isalnum(byte) || byte == '_';
}

int __rz_regex_holds(const struct __rz_regex *regex, const struct __rz_regex_text *text, int assertion, size_t at) {
  const int by_line = regex->flags & REG_NEWLINE;
  const int before = at > text->begin && is_word_at(text, at - 1);
  const int after = is_word_at(text, at);
  switch (assertion) {
    case LINE_BEGIN:
      if (at == text->begin) return !(text->flags & REG_NOTBOL);
      return by_line && text->bytes[at - 1] == '\n';
    case LINE_END:
      if (at == text->end) return !(text->flags & REG_NOTEOL);
      return by_line && text->bytes[at] == '\n';
    case TEXT_BEGIN: return at == text->begin;
    case TEXT_END: return at == text->end;
    case WORD_BEGIN: return !before && after;
    case WORD_END: return before && !after;
    case WORD_EDGE: return before != after;
    default: return before == after;
  }
}

/* ---- threads ---- */

struct thread {
  int pc;
  size_t start;
};

struct machine {
  const struct __rz_regex *regex;
  const struct __rz_regex_text *text;
  const struct __rz_regex_instruction *code;
  int from, to;              /* the stretch of code; reaching `to` is a match */
  unsigned *seen;            /* by place in the code: the step in which it was reached last */
  unsigned step;
  struct thread *now, *then; /* the threads before this byte, and after it */
  int *stack;
  int now_count, then_count;
};

static int set_up(struct machine *m) {
  const size_t places = (size_t)(m->to - m->from) + 1;
  m->seen = calloc(places, sizeof *m->seen);
  m->now = malloc(places * sizeof *m->now);
  m->then = malloc(places * sizeof *m->then);
  m->stack = malloc(places * sizeof *m->stack);
  return m->seen && m->now && m->then && m->stack ? 0 : REG_ESPACE;
}

static void tear_down(struct machine *m) {
  free(m->seen);
  free(m->now);
  free(m->then);
  free(m->stack);
}

static int reach_once(struct machine *m, int pc) {
  unsigned *seen = &m->seen[pc - m->from];
  if (*seen == m->step) return 0;
  *seen = m->step;
  return 1;
}

/*
 * Adds to `then` the threads that a way reaches from pc without reading a byte, at a place in the
 * text. Returns whether one of them is the end of the code.
 */
static int add_threads(struct machine *m, int pc, size_t start, size_t at) {
  int depth = 0, matches = 0;
  if (!reach_once(m, pc)) return 0;
  m->stack[depth++] = pc;
  while (depth > 0) {
    pc = m->stack[--depth];
    if (pc == m->to) {
      matches = 1;
      continue;
    }
    const struct __rz_regex_instruction *in = &m->code[pc];
    switch (in->opcode) {
      case OP_SPLIT:
        if (reach_once(m, in->target)) m->stack[depth++] = in->target;
        if (reach_once(m, pc + 1)) m->stack[depth++] = pc + 1;
        break;
      case OP_JUMP:
        if (reach_once(m, in->target)) m->stack[depth++] = in->target;
        break;
      case OP_ASSERT:
        if (__rz_regex_holds(m->regex, m->text, in->value, at) && reach_once(m, pc + 1)) m->stack[depth++] = pc + 1;
        break;
      default: m->then[m->then_count++] = (struct thread){pc, start}; break;
    }
  }
  return matches;
}

static int accepts(const struct machine *m, int pc, unsigned char byte) {
  const struct __rz_regex_instruction *in = &m->code[pc];
  return in->opcode == OP_BYTE ? in->value == byte : __rz_regex_set_has(&m->regex->sets[in->value], byte);
}

/* What was `then` is `now`; a new step begins. */
static void advance(struct machine *m) {
  struct thread *behind = m->now;
  m->now = m->then;
  m->now_count = m->then_count;
  m->then = behind;
  m->then_count = 0;
  m->step++;
}

/* ---- the two uses ---- */

struct best {
  int is_found;
  size_t start, end;
};

static void note_match(struct best *best, size_t start, size_t end) {
  if (best->is_found && best->start < start) return;
  *best = (struct best){1, start, end};
}

static size_t skip_hopeless(const struct machine *m, size_t at) {
  const struct __rz_regex *regex = m->regex;
  if (regex->is_nullable) return at;
  while (at < m->text->end && !__rz_regex_set_has(&regex->first, m->text->bytes[at])) at++;
  return at;
}

int __rz_regex_search(const struct __rz_regex *regex, const struct __rz_regex_text *text, regmatch_t *match) {
  const struct __rz_regex_code *code = &regex->code[FORWARD];
  struct machine m = {.regex = regex, .text = text, .code = code->at, .from = 0, .to = code->count};
  struct best best = {0};
  const int error = set_up(&m);
  for (size_t at = text->begin; !error; at++) {
    /* `now` holds the threads that wait for the byte before `at`: move them over it. */
    advance(&m);
    for (int i = 0; i < m.now_count; i++) {
      const struct thread thread = m.now[i];
      if (best.is_found && thread.start > best.start) break;
      if (accepts(&m, thread.pc, text->bytes[at - 1]) && add_threads(&m, thread.pc + 1, thread.start, at)) {
        note_match(&best, thread.start, at);
      }
    }
    if (!best.is_found) {
      if (m.then_count == 0) at = skip_hopeless(&m, at);
      if (add_threads(&m, 0, at, at)) note_match(&best, at, at);
    }
    if (at == text->end || (best.is_found && m.then_count == 0)) break;
  }
  tear_down(&m);
  if (error) return error;
  if (!best.is_found) return REG_NOMATCH;
  *match = (regmatch_t){(regoff_t)best.start, (regoff_t)best.end};
  return 0;
}

int __rz_regex_reach(const struct __rz_regex *regex, const struct __rz_regex_text *text, int direction, int from,
                     int to, size_t low, size_t high, char *reached) {
  struct machine m = {
      .regex = regex, .text = text, .code = regex->code[direction].at, .from = from, .to = to, .step = 1};
  const int error = set_up(&m);
  for (size_t i = 0; i <= high - low; i++) reached[i] = 0;
  if (!error) {
    size_t at = direction == FORWARD ? low : high;
    reached[at - low] = (char)add_threads(&m, from, 0, at);
    while (m.then_count > 0 && at != (direction == FORWARD ? high : low)) {
      const unsigned char byte = text->bytes[direction == FORWARD ? at : at - 1];
      at = direction == FORWARD ? at + 1 : at - 1;
      advance(&m);
      int matches = 0;
      for (int i = 0; i < m.now_count; i++) {
        if (accepts(&m, m.now[i].pc, byte)) matches |= add_threads(&m, m.now[i].pc + 1, 0, at);
      }
      reached[at - low] = (char)matches;
    }
  }
  tear_down(&m);
  return error;
}
