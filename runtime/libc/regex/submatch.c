/*
 * How a match is divided among the groups: from the outside inwards.
 *
 * The match of a node is a known stretch [low, high] of the text. What its children match follows:
 *   - in a sequence each child, from left to right, takes the longest stretch that leaves a rest
 *     which the remaining children can match;
 *   - of a choice, the first child that can match all of the stretch does;
 *   - a repetition takes its rounds like the children of a sequence, and only the last one leaves a
 *     trace.
 * Rounds are not empty, unless the whole repetition is.
 *
 * Invariant: a group's entry is written after the entries of the groups inside it were cleared, so
 * they always belong to the same iteration.
 */
#include "regex-program.h"

#include <stdlib.h>

struct division {
  const struct __rz_regex *regex;
  const struct __rz_regex_text *text;
  regmatch_t *matches;
  int error;
};

static void divide(struct division *d, int node, size_t low, size_t high);

static const struct __rz_regex_node *node_at(const struct division *d, int node) { return &d->regex->nodes[node]; }

/* Where the code from..to can get to within the stretch; null after an error. To be freed. */
static char *reach(struct division *d, int direction, int from, int to, size_t low, size_t high) {
  char *reached = malloc(high - low + 1);
  if (reached) d->error = __rz_regex_reach(d->regex, d->text, direction, from, to, low, high, reached);
  else d->error = REG_ESPACE;
  if (!d->error) return reached;
  free(reached);
  return 0;
}

static int can_match(struct division *d, int node, size_t low, size_t high) {
  const struct __rz_regex_node *n = node_at(d, node);
  char *reached = reach(d, FORWARD, n->begin[FORWARD], n->end[FORWARD], low, high);
  const int result = reached && reached[high - low];
  free(reached);
  return result;
}

/*
 * The longest match of a node from `low` that ends where `rest` (places from low to high) allows.
 * Returns `none` if there is none that is longer than `at_least` bytes.
 */
static size_t longest(struct division *d, int node, size_t low, size_t high, const char *rest, size_t at_least,
                      size_t none) {
  const struct __rz_regex_node *n = node_at(d, node);
  char *reached = reach(d, FORWARD, n->begin[FORWARD], n->end[FORWARD], low, high);
  if (!reached) return none;
  size_t end = none;
  for (size_t i = at_least; i <= high - low; i++) {
    if (reached[i] && rest[i]) end = low + i;
  }
  free(reached);
  return end;
}

static void divide_sequence(struct division *d, int sequence, size_t low, size_t high) {
  const struct __rz_regex_node *parent = node_at(d, sequence);
  int groups = 0, variable = 0;
  size_t fixed = 0;
  for (int child = parent->first; child; child = node_at(d, child)->next) {
    const struct __rz_regex_node *n = node_at(d, child);
    groups += n->has_groups;
    if (n->length == UNBOUNDED) variable++;
    else fixed += (size_t)n->length;
  }
  for (int child = parent->first; child && groups > 0 && !d->error; child = node_at(d, child)->next) {
    const struct __rz_regex_node *n = node_at(d, child);
    size_t end = high;
    if (n->length != UNBOUNDED) {
      end = low + (size_t)n->length;
      fixed -= (size_t)n->length;
    } else if (variable == 1) {
      end = high - fixed;
    } else {
      /*
       * Mirrored, the children after this one are a stretch that begins where the sequence's code
       * does.
       */
      char *rest = reach(d, BACKWARD, parent->begin[BACKWARD], node_at(d, n->next)->end[BACKWARD], low, high);
      if (!rest) return;
      end = longest(d, child, low, high, rest, 0, low);
      free(rest);
    }
    if (n->length == UNBOUNDED) variable--;
    groups -= n->has_groups;
    divide(d, child, low, end);
    low = end;
  }
}

static void divide_choice(struct division *d, int choice, size_t low, size_t high) {
  for (int child = node_at(d, choice)->first; child && !d->error; child = node_at(d, child)->next) {
    if (node_at(d, child)->next && !can_match(d, child, low, high)) continue;
    divide(d, child, low, high);
    return;
  }
}

static void divide_repetition(struct division *d, int repetition, size_t low, size_t high) {
  const struct __rz_regex_node *n = node_at(d, repetition);
  const int body = n->first;
  if (low == high) {
    if (can_match(d, body, low, high)) divide(d, body, low, high);
    return;
  }
  char *rest = reach(d, BACKWARD, n->begin[BACKWARD], n->end[BACKWARD], low, high);
  if (!rest) return;
  rest[high - low] = 1; /* after the last round nothing is left to match, even for PLUS */
  size_t round = low;
  while (!d->error) {
    const size_t end = longest(d, body, round, high, rest + (round - low), 1, high);
    if (end == high) break;
    round = end;
  }
  free(rest);
  divide(d, body, round, high);
}

static void divide_group(struct division *d, int group, size_t low, size_t high) {
  const struct __rz_regex_node *n = node_at(d, group);
  for (int inside = n->value + 1; inside <= n->last_group; inside++) d->matches[inside] = (regmatch_t){-1, -1};
  d->matches[n->value] = (regmatch_t){(regoff_t)low, (regoff_t)high};
  divide(d, n->first, low, high);
}

static void divide(struct division *d, int node, size_t low, size_t high) {
  const struct __rz_regex_node *n = node_at(d, node);
  if (d->error || !n->has_groups) return;
  switch (n->type) {
    case NODE_GROUP: divide_group(d, node, low, high); break;
    case NODE_SEQUENCE: divide_sequence(d, node, low, high); break;
    case NODE_CHOICE: divide_choice(d, node, low, high); break;
    case NODE_OPTIONAL:
      if (low != high || (n->is_first_copy && can_match(d, n->first, low, high))) divide(d, n->first, low, high);
      break;
    default: divide_repetition(d, node, low, high); break;
  }
}

int __rz_regex_submatches(const struct __rz_regex *regex, const struct __rz_regex_text *text, regmatch_t *matches) {
  struct division d = {.regex = regex, .text = text, .matches = matches};
  for (int group = 1; group <= regex->group_count; group++) matches[group] = (regmatch_t){-1, -1};
  divide(&d, regex->root, (size_t)matches[0].rm_so, (size_t)matches[0].rm_eo);
  return d.error;
}
