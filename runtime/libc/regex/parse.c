/*
 * The pattern's grammar, POSIX basic and extended with the GNU additions: in both, \w \W \s \S \b
 * \B \< \> \` \' and back-references; in basic ones also \+ \? and \|.
 *
 *     alternatives = sequence { "|" sequence }
 *     sequence     = { atom { repetition } }
 *     atom         = byte | "." | bracket | "(" alternatives ")" | assertion | \digit
 *
 * Counted repetition is written out: x{2,4} becomes x x x? x?, so the tree may be much larger than
 * the pattern; MAXIMUM_NODES keeps it in bounds. A sequence or a choice has any number of children,
 * so the tree is no deeper than the pattern's parentheses, and recursion over it is safe.
 */
#include "regex-program.h"

#include <ctype.h>
#include <stdlib.h>

#define MAXIMUM_NODES 200000
#define MAXIMUM_NESTING 1000

enum token_type {
  TOKEN_END, TOKEN_BYTE, TOKEN_ANY, TOKEN_BRACKET, TOKEN_STAR, TOKEN_PLUS, TOKEN_QUESTION, TOKEN_OPEN_COUNT,
  TOKEN_CLOSE_COUNT, TOKEN_OPEN_GROUP, TOKEN_CLOSE_GROUP, TOKEN_OR, TOKEN_ASSERT, TOKEN_CLASS, TOKEN_BACKREF,
  TOKEN_LONE_BACKSLASH
};

struct token {
  enum token_type type;
  unsigned char value;   /* the byte, as which the token also stands where it has no other meaning */
  int assertion;
};

struct parser {
  struct __rz_regex *regex;
  const char *start, *at;        /* `at` stands after the token */
  struct token token;
  int is_extended;
  int error;
  int nesting;
  unsigned completed_groups;     /* bit n: \n may be used; only 1..9 matter */
};

static int fail(struct parser *p, int error) {
  if (!p->error) p->error = error;
  return 0;
}

/* ---- tokens ---- */

static struct token assertion(int kind, unsigned char byte) {
  return (struct token){TOKEN_ASSERT, byte, kind};
}

static struct token lex_escaped(struct parser *p, unsigned char c) {
  const int basic = !p->is_extended;
  switch (c) {
    case 0: return (struct token){TOKEN_LONE_BACKSLASH, '\\', 0};
    case '(': if (basic) return (struct token){TOKEN_OPEN_GROUP, c, 0}; break;
    case ')': if (basic) return (struct token){TOKEN_CLOSE_GROUP, c, 0}; break;
    case '{': if (basic) return (struct token){TOKEN_OPEN_COUNT, c, 0}; break;
    case '}': if (basic) return (struct token){TOKEN_CLOSE_COUNT, c, 0}; break;
    case '|': if (basic) return (struct token){TOKEN_OR, c, 0}; break;
    case '+': if (basic) return (struct token){TOKEN_PLUS, c, 0}; break;
    case '?': if (basic) return (struct token){TOKEN_QUESTION, c, 0}; break;
    case '<': return assertion(WORD_BEGIN, c);
    case '>': return assertion(WORD_END, c);
    case 'b': return assertion(WORD_EDGE, c);
    case 'B': return assertion(NO_WORD_EDGE, c);
    case '`': return assertion(TEXT_BEGIN, c);
    case '\'': return assertion(TEXT_END, c);
    case 'w': case 'W': case 's': case 'S': return (struct token){TOKEN_CLASS, c, 0};
    default:
      if (c >= '1' && c <= '9') return (struct token){TOKEN_BACKREF, c, 0};
  }
  return (struct token){TOKEN_BYTE, c, 0};
}

/* In basic patterns ^ is special only at the beginning of a sequence, $ only at the end of one. */
static int caret_is_special(const struct parser *p, const char *caret) {
  if (p->is_extended || caret == p->start) return 1;
  const enum token_type before = p->token.type;
  return before == TOKEN_OPEN_GROUP || before == TOKEN_OR;
}

static int dollar_is_special(const struct parser *p, const char *dollar) {
  if (p->is_extended || dollar[1] == 0) return 1;
  return dollar[1] == '\\' && (dollar[2] == ')' || dollar[2] == '|');
}

static void next_token(struct parser *p) {
  const char *start = p->at;
  const unsigned char c = (unsigned char)*start;
  if (c == 0) {
    p->token = (struct token){TOKEN_END, 0, 0};
    return;
  }
  p->at = start + 1;
  struct token token = {TOKEN_BYTE, c, 0};
  switch (c) {
    case '\\':
      token = lex_escaped(p, (unsigned char)*p->at);
      if (token.type != TOKEN_LONE_BACKSLASH) p->at++;
      break;
    case '.': token.type = TOKEN_ANY; break;
    case '[': token.type = TOKEN_BRACKET; break;
    case '*': token.type = TOKEN_STAR; break;
    case '^': if (caret_is_special(p, start)) token = assertion(LINE_BEGIN, c); break;
    case '$': if (dollar_is_special(p, start)) token = assertion(LINE_END, c); break;
    case '+': if (p->is_extended) token.type = TOKEN_PLUS; break;
    case '?': if (p->is_extended) token.type = TOKEN_QUESTION; break;
    case '{': if (p->is_extended) token.type = TOKEN_OPEN_COUNT; break;
    case '}': if (p->is_extended) token.type = TOKEN_CLOSE_COUNT; break;
    case '(': if (p->is_extended) token.type = TOKEN_OPEN_GROUP; break;
    case ')': if (p->is_extended) token.type = TOKEN_CLOSE_GROUP; break;
    case '|': if (p->is_extended) token.type = TOKEN_OR; break;
    default: break;
  }
  p->token = token;
}

/* ---- nodes ---- */

void *__rz_regex_grow(void *array, int count, int *capacity, size_t size) {
  if (count < *capacity) return array;
  const int larger = *capacity ? *capacity * 2 : 16;
  void *moved = realloc(array, (size_t)larger * size);
  if (moved) *capacity = larger;
  return moved;
}

static int new_node(struct parser *p, int type, int value) {
  struct __rz_regex *r = p->regex;
  if (p->error) return 0;
  if (r->node_count >= MAXIMUM_NODES) return fail(p, REG_ESPACE);
  struct __rz_regex_node *nodes = __rz_regex_grow(r->nodes, r->node_count, &r->node_capacity, sizeof *nodes);
  if (!nodes) return fail(p, REG_ESPACE);
  r->nodes = nodes;
  r->nodes[r->node_count] = (struct __rz_regex_node){.type = (unsigned char)type, .value = value};
  return r->node_count++;
}

static void add_child(struct parser *p, int parent, int child) {
  struct __rz_regex_node *nodes = p->regex->nodes;
  if (p->error) return;
  nodes[child].previous = nodes[parent].last;
  if (nodes[parent].last) nodes[nodes[parent].last].next = child;
  else nodes[parent].first = child;
  nodes[parent].last = child;
}

static int new_parent(struct parser *p, int type, int child) {
  const int parent = new_node(p, type, 0);
  add_child(p, parent, child);
  return parent;
}

static int new_set(struct parser *p, const struct __rz_regex_set *set) {
  struct __rz_regex *r = p->regex;
  struct __rz_regex_set *sets = __rz_regex_grow(r->sets, r->set_count, &r->set_capacity, sizeof *sets);
  if (!sets) return fail(p, REG_ESPACE);
  r->sets = sets;
  r->sets[r->set_count] = *set;
  return new_node(p, NODE_SET, r->set_count++);
}

static int copy_tree(struct parser *p, int node) {
  const struct __rz_regex_node original = p->regex->nodes[node];
  const int copy = new_node(p, original.type, original.value);
  if (p->error) return 0;
  p->regex->nodes[copy].last_group = original.last_group;
  p->regex->nodes[copy].is_first_copy = original.is_first_copy;
  for (int child = original.first; child && !p->error; child = p->regex->nodes[child].next) {
    add_child(p, copy, copy_tree(p, child));
  }
  return copy;
}

/* ---- the grammar ---- */

static int parse_alternatives(struct parser *p);

static int is_word_byte(int byte) { return isalnum(byte) || byte == '_'; }

static int byte_node(struct parser *p, unsigned char byte) {
  if (!(p->regex->flags & REG_ICASE) || toupper(byte) == tolower(byte)) return new_node(p, NODE_BYTE, byte);
  struct __rz_regex_set set = {{0}};
  __rz_regex_set_add(&set, (unsigned char)toupper(byte));
  __rz_regex_set_add(&set, (unsigned char)tolower(byte));
  return new_set(p, &set);
}

static int any_node(struct parser *p) {
  struct __rz_regex_set set = {{0}};
  for (int byte = 1; byte < 256; byte++) {
    if (byte != '\n' || !(p->regex->flags & REG_NEWLINE)) __rz_regex_set_add(&set, (unsigned char)byte);
  }
  return new_set(p, &set);
}

static int class_node(struct parser *p, unsigned char letter) {
  struct __rz_regex_set set = {{0}};
  const int is_negated = letter == 'W' || letter == 'S';
  for (int byte = 0; byte < 256; byte++) {
    const int is_in = letter == 'w' || letter == 'W' ? is_word_byte(byte) : isspace(byte) != 0;
    if (is_in != is_negated) __rz_regex_set_add(&set, (unsigned char)byte);
  }
  return new_set(p, &set);
}

static int bracket_node(struct parser *p) {
  struct __rz_regex_set set;
  const int error = __rz_regex_parse_bracket(&p->at, p->regex->flags, &set);
  return error ? fail(p, error) : new_set(p, &set);
}

static int group_node(struct parser *p) {
  const int number = ++p->regex->group_count;
  if (++p->nesting > MAXIMUM_NESTING) return fail(p, REG_ESPACE);
  next_token(p);
  const int inside = parse_alternatives(p);
  if (p->error) return 0;
  if (p->token.type != TOKEN_CLOSE_GROUP) return fail(p, REG_EPAREN);
  p->nesting--;
  if (number <= 9) p->completed_groups |= 1u << number;
  const int node = new_parent(p, NODE_GROUP, inside);
  if (p->error) return 0;
  p->regex->nodes[node].value = number;
  p->regex->nodes[node].last_group = p->regex->group_count;
  return node;
}

static int backref_node(struct parser *p) {
  const int group = p->token.value - '0';
  if (!(p->completed_groups >> group & 1)) return fail(p, REG_ESUBREG);
  p->regex->has_backrefs = 1;
  return new_node(p, NODE_BACKREF, group);
}

/* The atom whose first token is the current one; afterwards the token after it is current. */
static int parse_atom(struct parser *p) {
  const struct token token = p->token;
  int node = 0;
  switch (token.type) {
    case TOKEN_ANY: node = any_node(p); break;
    case TOKEN_BRACKET: node = bracket_node(p); break;
    case TOKEN_OPEN_GROUP: node = group_node(p); break;
    case TOKEN_ASSERT: node = new_node(p, NODE_ASSERT, token.assertion); break;
    case TOKEN_CLASS: node = class_node(p, token.value); break;
    case TOKEN_BACKREF: node = backref_node(p); break;
    case TOKEN_LONE_BACKSLASH: return fail(p, REG_EESCAPE);
    case TOKEN_OPEN_COUNT: return fail(p, REG_BADRPT);
    case TOKEN_STAR:
    case TOKEN_PLUS:
    case TOKEN_QUESTION:
      if (p->is_extended) return fail(p, REG_BADRPT);
      node = byte_node(p, token.value);
      break;
    case TOKEN_CLOSE_GROUP:
      if (!p->is_extended) return fail(p, REG_EPAREN);
      node = byte_node(p, token.value);
      break;
    default: node = byte_node(p, token.value); break;
  }
  if (!p->error) next_token(p);
  return node;
}

/*
 * A count in {m,n}: -1 if there is none, -2 if there is something else. Stops at ',' or '}' or the
 * end.
 */
static int parse_number(struct parser *p) {
  int number = -1;
  for (;; next_token(p)) {
    const struct token token = p->token;
    if (token.type == TOKEN_END) return -2;
    if (token.type == TOKEN_CLOSE_COUNT || (token.type == TOKEN_BYTE && token.value == ',')) return number;
    if (token.type != TOKEN_BYTE || !isdigit(token.value) || number == -2) number = -2;
    else number = number == -1 ? token.value - '0' : number * 10 + token.value - '0';
    if (number > RE_DUP_MAX) number = RE_DUP_MAX + 1;
  }
}

/* The counts of {m}, {m,}, {,n} or {m,n}; *most is UNBOUNDED without an upper one. */
static void parse_counts(struct parser *p, int *least, int *most) {
  next_token(p);
  *least = parse_number(p);
  const int has_comma = p->token.type == TOKEN_BYTE;
  if (*least == -1) {
    if (!has_comma) {
      fail(p, REG_BADBR);
      return;
    }
    *least = 0;
  }
  *most = *least;
  if (*least != -2 && has_comma) {
    next_token(p);
    *most = parse_number(p);
  }
  if (*least == -2 || *most == -2) fail(p, p->token.type == TOKEN_END ? REG_EBRACE : REG_BADBR);
  else if (p->token.type != TOKEN_CLOSE_COUNT || (*most != UNBOUNDED && *least > *most)) fail(p, REG_BADBR);
  else if ((*most == UNBOUNDED ? *least : *most) > RE_DUP_MAX) fail(p, REG_ESIZE);
}

/* x repeated least..most times, without counts: x x x x? x?, or x x x+ when there is no most. */
static int write_out(struct parser *p, int x, int least, int most) {
  if (most == 0) return new_node(p, NODE_EMPTY, 0);
  if (most == UNBOUNDED && least <= 1) return new_parent(p, least == 0 ? NODE_STAR : NODE_PLUS, x);
  const int sequence = new_node(p, NODE_SEQUENCE, 0);
  const int copies = most == UNBOUNDED ? least - 1 : least;
  for (int i = 0; i < copies && !p->error; i++) add_child(p, sequence, copy_tree(p, x));
  if (most == UNBOUNDED) add_child(p, sequence, new_parent(p, NODE_PLUS, x));
  for (int i = copies; i < most && !p->error; i++) {
    const int optional = new_parent(p, NODE_OPTIONAL, copy_tree(p, x));
    if (p->error) return 0;
    p->regex->nodes[optional].value = most - i - 1;
    p->regex->nodes[optional].is_first_copy = i == 0;
    add_child(p, sequence, optional);
  }
  return sequence;
}

static int is_repetition(enum token_type type) {
  return type == TOKEN_STAR || type == TOKEN_PLUS || type == TOKEN_QUESTION || type == TOKEN_OPEN_COUNT;
}

static int parse_repetition(struct parser *p, int atom) {
  int least = 0, most = UNBOUNDED;
  switch (p->token.type) {
    case TOKEN_PLUS: least = 1; break;
    case TOKEN_QUESTION: most = 1; break;
    case TOKEN_OPEN_COUNT: parse_counts(p, &least, &most); break;
    default: break;
  }
  if (p->error) return 0;
  next_token(p);
  return write_out(p, atom, least, most);
}

static int parse_repeated_atom(struct parser *p) {
  const int is_assertion = p->token.type == TOKEN_ASSERT;
  int atom = parse_atom(p);
  while (!p->error && !is_assertion && is_repetition(p->token.type)) {
    atom = parse_repetition(p, atom);
    const int is_again = p->token.type == TOKEN_STAR || p->token.type == TOKEN_OPEN_COUNT;
    if (!p->is_extended && is_again) fail(p, REG_BADRPT);
  }
  return atom;
}

static int parse_sequence(struct parser *p) {
  const int sequence = new_node(p, NODE_SEQUENCE, 0);
  while (!p->error && p->token.type != TOKEN_END && p->token.type != TOKEN_OR &&
         !(p->token.type == TOKEN_CLOSE_GROUP && p->nesting > 0)) {
    add_child(p, sequence, parse_repeated_atom(p));
  }
  return sequence;
}

/*
 * A group of one alternative can be referred to after the choice, but not from another
 * alternative.
 */
static int parse_alternatives(struct parser *p) {
  const unsigned before = p->completed_groups;
  const int first = parse_sequence(p);
  if (p->token.type != TOKEN_OR) return first;
  const int choice = new_parent(p, NODE_CHOICE, first);
  unsigned completed = p->completed_groups;
  while (!p->error && p->token.type == TOKEN_OR) {
    next_token(p);
    p->completed_groups = before;
    add_child(p, choice, parse_sequence(p));
    completed |= p->completed_groups;
  }
  p->completed_groups = completed;
  return choice;
}

int __rz_regex_parse(struct __rz_regex *regex, const char *pattern) {
  struct parser p = {.regex = regex, .start = pattern, .at = pattern, .is_extended = regex->flags & REG_EXTENDED};
  new_node(&p, NODE_EMPTY, 0); /* so that no useful node has index 0 */
  next_token(&p);
  regex->root = parse_alternatives(&p);
  return p.error;
}
