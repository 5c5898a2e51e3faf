/* From the tree to code: once forwards, and once mirrored for the search of submatches. */
#include "regex-program.h"

#include <stdlib.h>

/* ---- properties of nodes for submatch.c ---- */

static void measure(struct __rz_regex *regex, int index) {
  struct __rz_regex_node *nodes = regex->nodes, *node = &nodes[index];
  int total = 0, is_same = 1;
  node->has_groups = node->type == NODE_GROUP;
  for (int child = node->first; child; child = nodes[child].next) {
    measure(regex, child);
    node->has_groups |= nodes[child].has_groups;
    total = total == UNBOUNDED || nodes[child].length == UNBOUNDED ? UNBOUNDED : total + nodes[child].length;
    is_same &= nodes[child].length == nodes[node->first].length;
  }
  switch (node->type) {
    case NODE_BYTE:
    case NODE_SET: node->length = 1; break;
    case NODE_CHOICE: node->length = is_same ? nodes[node->first].length : UNBOUNDED; break;
    case NODE_OPTIONAL:
    case NODE_STAR:
    case NODE_PLUS: node->length = total == 0 ? 0 : UNBOUNDED; break;
    case NODE_BACKREF: node->length = UNBOUNDED; break;
    default: node->length = total; break;
  }
}

/* ---- code ---- */

struct compiler {
  struct __rz_regex *regex;
  struct __rz_regex_code *code;
  int direction;
  int error;
};

static int emit(struct compiler *c, int opcode, int value) {
  struct __rz_regex_code *code = c->code;
  struct __rz_regex_instruction *at = __rz_regex_grow(code->at, code->count, &code->capacity, sizeof *at);
  if (!at) {
    c->error = REG_ESPACE;
    return 0;
  }
  code->at = at;
  at[code->count] = (struct __rz_regex_instruction){.opcode = (unsigned char)opcode, .value = value};
  return code->count++;
}

static void aim(struct compiler *c, int instruction, int target) {
  if (!c->error) c->code->at[instruction].target = target;
}

static void compile(struct compiler *c, int index);

/*
 * An optional part that is left out takes the optional copies after it with it: all would be the
 * same way to match, tried again and again by backtrack.c. (The code of one copy alone is then no
 * stretch with one exit, but only submatch.c needs that, and not for patterns with
 * back-references.)
 */
static void join_optional_copies(struct compiler *c, const struct __rz_regex_node *sequence) {
  const struct __rz_regex_node *nodes = c->regex->nodes;
  for (int child = sequence->first; child; child = nodes[child].next) {
    if (nodes[child].type != NODE_OPTIONAL) continue;
    int last = child;
    for (int more = nodes[child].value; more > 0; more--) last = nodes[last].next;
    aim(c, nodes[child].begin[FORWARD], nodes[last].end[FORWARD]);
  }
}

static void compile_sequence(struct compiler *c, const struct __rz_regex_node *node) {
  if (c->direction == FORWARD) {
    for (int child = node->first; child; child = c->regex->nodes[child].next) compile(c, child);
    if (c->regex->has_backrefs) join_optional_copies(c, node);
  } else {
    for (int child = node->last; child; child = c->regex->nodes[child].previous) compile(c, child);
  }
}

/*     split B;  A;  jump end;  B: split C;  B;  jump end;  C: ...  end:      */
static void compile_choice(struct compiler *c, const struct __rz_regex_node *node) {
  const struct __rz_regex_node *nodes = c->regex->nodes;
  for (int child = node->first; child; child = nodes[child].next) {
    const int is_last = nodes[child].next == 0;
    const int split = is_last ? 0 : emit(c, OP_SPLIT, 0);
    compile(c, child);
    if (is_last) break;
    emit(c, OP_JUMP, 0);
    aim(c, split, c->code->count);
  }
  for (int child = node->first; nodes[child].next; child = nodes[child].next) {
    aim(c, nodes[child].end[c->direction], c->code->count);
  }
}

/*
 *     star:  split end;  back: A;  split' back      plus the same without the first split
 *
 * For backtrack.c a loop keeps a count and the place where the round began: an empty round ends the
 * loop.
 */
static void compile_loop(struct compiler *c, const struct __rz_regex_node *node) {
  const int skip = node->type == NODE_STAR ? emit(c, OP_SPLIT, 0) : -1;
  const int number = c->regex->loop_count;
  if (c->regex->has_backrefs) {
    c->regex->loop_count++;
    emit(c, OP_LOOP, number);
  }
  const int back = c->code->count;
  if (c->regex->has_backrefs) emit(c, OP_ITERATE, number);
  compile(c, node->first);
  const int again = emit(c, c->regex->has_backrefs ? OP_NEXT : OP_SPLIT, number);
  aim(c, again, back);
  if (skip >= 0) aim(c, skip, c->code->count);
}

static void compile_group(struct compiler *c, const struct __rz_regex_node *node) {
  if (c->regex->has_backrefs) aim(c, emit(c, OP_OPEN, node->value), node->last_group);
  compile(c, node->first);
  if (c->regex->has_backrefs) emit(c, OP_CLOSE, node->value);
}

static void compile(struct compiler *c, int index) {
  struct __rz_regex_node *node = &c->regex->nodes[index];
  node->begin[c->direction] = c->code->count;
  switch (node->type) {
    case NODE_BYTE: emit(c, OP_BYTE, node->value); break;
    case NODE_SET: emit(c, OP_SET, node->value); break;
    case NODE_ASSERT: emit(c, OP_ASSERT, node->value); break;
    case NODE_BACKREF: emit(c, OP_BACKREF, node->value); break;
    case NODE_GROUP: compile_group(c, node); break;
    case NODE_SEQUENCE: compile_sequence(c, node); break;
    case NODE_CHOICE: compile_choice(c, node); break;
    case NODE_OPTIONAL: {
      const int skip = emit(c, OP_SPLIT, 0);
      compile(c, node->first);
      aim(c, skip, c->code->count);
      break;
    }
    case NODE_STAR:
    case NODE_PLUS: compile_loop(c, node); break;
    default: break;
  }
  node->end[c->direction] = c->code->count;
}

/*
 * The bytes that can come first, and whether a match may be empty; assertions and back-references
 * may hold.
 */
static int find_first_bytes(struct __rz_regex *regex) {
  const struct __rz_regex_code *code = &regex->code[FORWARD];
  char *seen = calloc((size_t)code->count + 1, 1);
  int *stack = malloc(((size_t)code->count + 1) * sizeof *stack);
  int depth = 0;
  if (!seen || !stack) {
    free(seen);
    free(stack);
    return REG_ESPACE;
  }
  stack[depth++] = 0;
  seen[0] = 1;
  while (depth > 0) {
    const int pc = stack[--depth];
    if (pc == code->count) {
      regex->is_nullable = 1;
      continue;
    }
    const struct __rz_regex_instruction in = code->at[pc];
    if (in.opcode == OP_BYTE) {
      __rz_regex_set_add(&regex->first, (unsigned char)in.value);
      continue;
    }
    if (in.opcode == OP_SET) {
      for (int i = 0; i < 4; i++) regex->first.bits[i] |= regex->sets[in.value].bits[i];
      continue;
    }
    const int branches = in.opcode == OP_SPLIT || in.opcode == OP_NEXT || in.opcode == OP_JUMP;
    if (branches && !seen[in.target]) {
      seen[in.target] = 1;
      stack[depth++] = in.target;
    }
    if (in.opcode != OP_JUMP && !seen[pc + 1]) {
      seen[pc + 1] = 1;
      stack[depth++] = pc + 1;
    }
  }
  free(seen);
  free(stack);
  return 0;
}

int __rz_regex_compile(struct __rz_regex *regex) {
  measure(regex, regex->root);
  const int wants_backward = !regex->has_backrefs && regex->group_count > 0 && !(regex->flags & REG_NOSUB);
  for (int direction = FORWARD; direction <= (wants_backward ? BACKWARD : FORWARD); direction++) {
    struct compiler c = {.regex = regex, .code = &regex->code[direction], .direction = direction};
    compile(&c, regex->root);
    if (c.error) return c.error;
  }
  return find_first_bytes(regex);
}
