/* What the two halves of wordexp share. All functions return 0 or a WRDE_ error. */
#ifndef RZ_WORDEXP_STATE_H
#define RZ_WORDEXP_STATE_H

#include <stddef.h>
#include <wordexp.h>

struct __rz_wordexp {
  const char *at;          /* the rest of the text to expand */
  int flags;
  wordexp_t *result;
  char *text, *quoted;     /* the current word, and for each byte whether it is quoted */
  size_t length, capacity;
  int is_word;             /* a word has begun; it may be empty, as in "" */
};

/* Adds a byte to the current word; ends the word. */
int __rz_wordexp_put(struct __rz_wordexp *w, char byte, int is_quoted);
int __rz_wordexp_end_word(struct __rz_wordexp *w);

/* Expands to the end of the text, or to a '}' that is not quoted. */
int __rz_wordexp_run(struct __rz_wordexp *w, int stops_at_brace);

/* Expands what begins with the '$' at w->at. */
int __rz_wordexp_dollar(struct __rz_wordexp *w, int is_quoted);

/* The value of an arithmetic expression; *text points after it on return. */
int __rz_wordexp_arithmetic(const char **text, long *value);

#endif
