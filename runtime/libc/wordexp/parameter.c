/* $NAME, ${NAME}, ${NAME:-word} and similar forms, ${#NAME}, $((...)). */
#include "wordexp-state.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds a value: unchanged between quotes, otherwise split at the separators of IFS. */
static int put_value(struct __rz_wordexp *w, const char *value, int is_quoted) {
  const char *separators = getenv("IFS");
  int error = 0;
  if (!separators) separators = " \t\n";
  if (is_quoted) w->is_word = 1;
  for (; *value && !error; value++) {
    if (!is_quoted && strchr(separators, *value)) error = __rz_wordexp_end_word(w);
    else error = __rz_wordexp_put(w, *value, is_quoted);
  }
  return error;
}

static int put_number(struct __rz_wordexp *w, long value, int is_quoted) {
  char text[24];
  snprintf(text, sizeof text, "%ld", value);
  return put_value(w, text, is_quoted);
}

/*
 * Reads the name at w->at. Positional and special parameters are never set here. Returns null if
 * there is none; the caller frees the result.
 */
static char *take_name(struct __rz_wordexp *w) {
  size_t length = 0;
  if (isdigit((unsigned char)*w->at)) length = 1;
  else while (isalnum((unsigned char)w->at[length]) || w->at[length] == '_') length++;
  char *name = length ? strndup(w->at, length) : 0;
  w->at += length;
  return name;
}

static int undefined(const struct __rz_wordexp *w) { return w->flags & WRDE_UNDEF ? WRDE_BADVAL : 0; }

/* Returns the end of a brace, minding quotes and nested braces; null if it is not closed. */
static const char *skip_word(const char *p) {
  int depth = 0;
  for (; *p; p++) {
    if (*p == '\\' && p[1]) p++;
    else if (*p == '\'') {
      p = strchr(p + 1, '\'');
      if (!p) return 0;
    } else if (*p == '{') depth++;
    else if (*p == '}' && depth-- == 0) return p + 1;
  }
  return 0;
}

/* Expands the word of ${NAME-word} as one string, which the caller frees. */
static int expand_word(struct __rz_wordexp *w, char **text) {
  struct __rz_wordexp inner = {.at = w->at, .flags = w->flags, .result = w->result};
  int error = 0;
  while (*inner.at != '}' && !error) {
    if (*inner.at == 0) error = WRDE_SYNTAX;
    else if (isspace((unsigned char)*inner.at)) error = __rz_wordexp_put(&inner, *inner.at++, 1);
    else {
      const char *start = inner.at;
      error = *start == '$' ? __rz_wordexp_dollar(&inner, 1) : __rz_wordexp_run(&inner, 1);
      if (!error && inner.at == start) error = WRDE_SYNTAX;
    }
  }
  if (!error) error = __rz_wordexp_put(&inner, 0, 1);
  w->at = inner.at;
  free(inner.quoted);
  *text = error ? 0 : inner.text;
  if (error) free(inner.text);
  return error;
}

/*
 * ${NAME op word}: w->at points to op, which is one of - = ? +. A ':' before it means that an empty
 * value is treated as unset.
 */
static int substitute(struct __rz_wordexp *w, const char *name, const char *value, int is_quoted) {
  const int empty_counts = *w->at == ':';
  if (empty_counts) w->at++;
  const char operator = *w->at++;
  const int has_value = value && !(empty_counts && *value == 0);
  const int wants_word = operator == '+' ? has_value : !has_value;
  if (!strchr("-=?+", operator) || operator == 0) return WRDE_SYNTAX;
  if (!wants_word) {
    const char *behind = skip_word(w->at);
    if (!behind) return WRDE_SYNTAX;
    w->at = behind;
    return operator == '+' ? 0 : put_value(w, value, is_quoted);
  }
  char *word;
  int error = expand_word(w, &word);
  if (error) return error;
  w->at++;
  if (operator == '?') {
    if (w->flags & WRDE_SHOWERR) fprintf(stderr, "%s: %s\n", name, *word ? word : "parameter null or not set");
    error = WRDE_BADVAL;
  } else {
    if (operator == '=') setenv(name, word, 1);
    error = put_value(w, word, is_quoted);
  }
  free(word);
  return error;
}

static int expand_braced(struct __rz_wordexp *w, int is_quoted) {
  const int wants_length = w->at[0] == '#' && w->at[1] != '}';
  if (wants_length) w->at++;
  char *name = take_name(w);
  if (!name) return WRDE_SYNTAX;
  const char *value = isdigit((unsigned char)*name) ? 0 : getenv(name);
  int error;
  if (*w->at == '}') {
    w->at++;
    if (wants_length) error = put_number(w, value ? (long)strlen(value) : 0, is_quoted);
    else error = value ? put_value(w, value, is_quoted) : undefined(w);
  } else {
    error = wants_length ? WRDE_SYNTAX : substitute(w, name, value, is_quoted);
  }
  free(name);
  return error;
}

static int expand_arithmetic(struct __rz_wordexp *w, int is_quoted) {
  long value;
  const int error = __rz_wordexp_arithmetic(&w->at, &value);
  if (error) return error;
  if (w->at[0] != ')' || w->at[1] != ')') return WRDE_SYNTAX;
  w->at += 2;
  return put_number(w, value, is_quoted);
}

int __rz_wordexp_dollar(struct __rz_wordexp *w, int is_quoted) {
  const char *dollar = w->at++;
  if (w->at[0] == '(' && w->at[1] == '(') {
    w->at += 2;
    return expand_arithmetic(w, is_quoted);
  }
  if (*w->at == '(') return WRDE_CMDSUB;
  if (*w->at == '{') {
    w->at++;
    return expand_braced(w, is_quoted);
  }
  char *name = take_name(w);
  if (!name) return __rz_wordexp_put(w, *dollar, 1);
  const char *value = isdigit((unsigned char)*name) ? 0 : getenv(name);
  const int error = value ? put_value(w, value, is_quoted) : undefined(w);
  if (is_quoted) w->is_word = 1;
  free(name);
  return error;
}
