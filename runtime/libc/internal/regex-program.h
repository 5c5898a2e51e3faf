/*
 * Regular expressions: a pattern becomes a tree, the tree becomes code, and code runs over the
 * text.
 *
 *     pattern ──parse.c──▶ nodes ──compile.c──▶ instructions ──simulate.c──▶ where the match is
 *                            │                                   ▲
 *                            └────────── submatch.c ─────────────┘          where its groups are
 *
 * simulate.c follows all alternatives of the code at once, one step for each byte of text: the time
 * is the product of pattern and text, whatever the pattern. It finds where a match begins and ends,
 * not its groups. submatch.c computes these afterwards from the tree, from the outside inwards, by
 * POSIX's rule: of the parts of a sequence, the leftmost matches as much as it can. To find out how
 * much, it runs the code of single nodes over parts of the text, forwards and (with a second code,
 * of the mirrored pattern) backwards. Patterns with back-references are not regular languages:
 * backtrack.c tries their alternatives one after the other.
 *
 * The code of every node is contiguous, is entered at its first instruction and left after its
 * last. So "node N matches from a to b" is a run of the simulation on
 * that part.
 *
 * Text is bytes, as in the C locale.
 */
#ifndef RZ_REGEX_PROGRAM_H
#define RZ_REGEX_PROGRAM_H

#include <regex.h>
#include <stddef.h>

enum __rz_regex_assertion {
  LINE_BEGIN, LINE_END, TEXT_BEGIN, TEXT_END, WORD_EDGE, NO_WORD_EDGE, WORD_BEGIN, WORD_END
};

enum __rz_regex_node_type {
  NODE_EMPTY,
  NODE_BYTE,      /* value: the byte */
  NODE_SET,       /* value: index into sets */
  NODE_ASSERT,    /* value: the assertion */
  NODE_BACKREF,   /* value: the group */
  NODE_GROUP,     /* value: its number; last_group: the largest number inside */
  NODE_SEQUENCE,  /* its children, one after the other */
  NODE_CHOICE,    /* one of its children */
  NODE_OPTIONAL,  /* its child, or nothing; value: how many more optional copies follow */
  NODE_STAR,      /* its child, any number of times */
  NODE_PLUS       /* its child, at least once */
};

#define UNBOUNDED (-1)

enum { FORWARD, BACKWARD };

/* Nodes refer to each other by index; 0 is none. */
struct __rz_regex_node {
  unsigned char type;
  unsigned char has_groups;
  unsigned char is_first_copy; /* for an optional node: it is the first of the copies */
  int value;
  int last_group;
  int first, last;             /* children */
  int next, previous;          /* siblings */
  int length;                  /* the length of every match, or UNBOUNDED if they differ */
  int begin[2], end[2];        /* its code, in each direction */
};

enum __rz_regex_opcode {
  OP_BYTE,             /* value: the byte */
  OP_SET,              /* value: index into sets */
  OP_ASSERT,           /* value: the assertion */
  OP_SPLIT,            /* continue at the next instruction, or at target */
  OP_JUMP,             /* continue at target */
  /* Only in patterns with back-references: */
  OP_OPEN, OP_CLOSE,   /* value: the group; target of OPEN: the largest group inside */
  OP_LOOP,             /* value: the loop's number; a loop begins */
  OP_ITERATE,          /* another iteration of it begins */
  OP_NEXT,             /* an iteration ends: return to target, or continue */
  OP_BACKREF           /* value: the group */
};

struct __rz_regex_instruction {
  unsigned char opcode;
  int value;
  int target;
};

struct __rz_regex_set {
  unsigned long bits[4];
};

struct __rz_regex_code {
  struct __rz_regex_instruction *at;
  int count, capacity;
};

struct __rz_regex {
  struct __rz_regex_node *nodes;
  int node_count, node_capacity;
  struct __rz_regex_set *sets;
  int set_count, set_capacity;
  struct __rz_regex_code code[2];
  int root;
  int group_count;
  int loop_count;
  int has_backrefs;
  int flags;                     /* of regcomp */
  int is_nullable;               /* some match may be empty */
  struct __rz_regex_set first;   /* the bytes that a match that is not empty can begin with */
};

/* The text of one search. Contexts at its ends depend on the flags of regexec. */
struct __rz_regex_text {
  const unsigned char *bytes;
  size_t begin, end;
  int flags;
};

static inline int __rz_regex_set_has(const struct __rz_regex_set *set, unsigned char byte) {
  return (int)(set->bits[byte / 64] >> (byte % 64) & 1);
}

static inline void __rz_regex_set_add(struct __rz_regex_set *set, unsigned char byte) {
  set->bits[byte / 64] |= 1UL << (byte % 64);
}

/* Everything below returns 0 or a REG_ error, unless it says otherwise. */

int __rz_regex_parse(struct __rz_regex *regex, const char *pattern);

/* A bracket expression: *pattern points after its '[', and after its ']' on return. */
int __rz_regex_parse_bracket(const char **pattern, int flags, struct __rz_regex_set *set);

int __rz_regex_compile(struct __rz_regex *regex);

void __rz_regex_free(struct __rz_regex *regex);

/*
 * The array, with room for one more element of `size` bytes; null if there is none, and the array
 * is unchanged.
 */
void *__rz_regex_grow(void *array, int count, int *capacity, size_t size);

/* Whether the assertion holds between the bytes at - 1 and at. */
int __rz_regex_holds(const struct __rz_regex *regex, const struct __rz_regex_text *text, int assertion, size_t at);

/* The leftmost match, and the longest of those; REG_NOMATCH if there is none. */
int __rz_regex_search(const struct __rz_regex *regex, const struct __rz_regex_text *text, regmatch_t *match);

/*
 * Runs the code from..to over the text [low, high]: forwards from low, or backwards from high. Sets
 * reached[i - low] for every place i where the code can be left, and clears it for all others.
 */
int __rz_regex_reach(const struct __rz_regex *regex, const struct __rz_regex_text *text, int direction, int from,
                     int to, size_t low, size_t high, char *reached);

/* Fills matches[1..] for a match of the whole pattern at matches[0]. */
int __rz_regex_submatches(const struct __rz_regex *regex, const struct __rz_regex_text *text, regmatch_t *matches);

/* Search and submatches for patterns with back-references. */
int __rz_regex_backtrack(const struct __rz_regex *regex, const struct __rz_regex_text *text, regmatch_t *matches);

#endif
