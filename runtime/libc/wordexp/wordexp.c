/*
 * Expands words as the shell does: tilde, parameters, arithmetic, field splitting, file names,
 * quotes. Commands are not run: $(...) and `...` are rejected with WRDE_CMDSUB.
 *
 * Text is collected into the current word with one mark per byte, which says whether it was quoted.
 * Quoted bytes are neither split nor wildcards; a backslash escapes them for glob.
 */
#include "wordexp-state.h"

#include <ctype.h>
#include <glob.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __rz_wordexp_put(struct __rz_wordexp *w, char byte, int is_quoted) {
  if (w->length + 1 >= w->capacity) {
    const size_t capacity = w->capacity ? w->capacity * 2 : 64;
    char *text = realloc(w->text, capacity);
    if (text) w->text = text;
    char *quoted = realloc(w->quoted, capacity);
    if (quoted) w->quoted = quoted;
    if (!text || !quoted) return WRDE_NOSPACE;
    w->capacity = capacity;
  }
  w->text[w->length] = byte;
  w->quoted[w->length++] = (char)is_quoted;
  w->is_word = 1;
  return 0;
}

static int add_word(wordexp_t *result, const char *word) {
  char **words = realloc(result->we_wordv, (result->we_offs + result->we_wordc + 2) * sizeof *words);
  if (words) result->we_wordv = words;
  char *copy = words ? strdup(word) : 0;
  if (!copy) return WRDE_NOSPACE;
  words[result->we_offs + result->we_wordc++] = copy;
  words[result->we_offs + result->we_wordc] = 0;
  return 0;
}

/*
 * Adds the file names that match if the word has wildcards and any do; otherwise adds the word
 * itself.
 */
int __rz_wordexp_end_word(struct __rz_wordexp *w) {
  if (!w->is_word) return 0;
  int has_wildcard = 0, error = 0;
  size_t length = 0;
  char *pattern = malloc(2 * w->length + 1);
  char *plain = malloc(w->length + 1);
  if (!pattern || !plain) error = WRDE_NOSPACE;
  for (size_t i = 0; !error && i < w->length; i++) {
    const char byte = w->text[i];
    plain[i] = byte;
    if (strchr("*?[", byte) && !w->quoted[i]) has_wildcard = 1;
    if (strchr("*?[]\\", byte) && (w->quoted[i] || byte == '\\')) pattern[length++] = '\\';
    pattern[length++] = byte;
  }
  glob_t names;
  if (!error) {
    pattern[length] = 0;
    plain[w->length] = 0;
    if (has_wildcard && glob(pattern, 0, 0, &names) == 0) {
      for (size_t i = 0; !error && i < names.gl_pathc; i++) error = add_word(w->result, names.gl_pathv[i]);
      globfree(&names);
    } else {
      error = add_word(w->result, plain);
    }
  }
  free(pattern);
  free(plain);
  w->length = 0;
  w->is_word = 0;
  return error;
}

/* Expands ~ or ~user at the beginning of a word. */
static int expand_tilde(struct __rz_wordexp *w) {
  char name[64];
  size_t length = 1;
  while (isalnum((unsigned char)w->at[length]) || w->at[length] == '_' || w->at[length] == '-') length++;
  const char behind = w->at[length];
  const char *home = 0;
  if ((behind == 0 || behind == '/' || isspace((unsigned char)behind)) && length <= sizeof name) {
    memcpy(name, w->at + 1, length - 1);
    name[length - 1] = 0;
    const struct passwd *user = length == 1 ? getpwuid(getuid()) : getpwnam(name);
    home = length == 1 ? getenv("HOME") : 0;
    if (!home && user) home = user->pw_dir;
  }
  if (!home) return __rz_wordexp_put(w, *w->at++, 0);
  w->at += length;
  int error = 0;
  for (; *home && !error; home++) error = __rz_wordexp_put(w, *home, 1);
  return error;
}

static int expand_single_quoted(struct __rz_wordexp *w) {
  int error = 0;
  w->is_word = 1;
  for (w->at++; *w->at != '\'' && !error; w->at++) {
    if (*w->at == 0) return WRDE_SYNTAX;
    error = __rz_wordexp_put(w, *w->at, 1);
  }
  w->at++;
  return error;
}

static int expand_double_quoted(struct __rz_wordexp *w) {
  int error = 0;
  w->is_word = 1;
  w->at++;
  while (*w->at != '"' && !error) {
    if (*w->at == 0) return WRDE_SYNTAX;
    if (*w->at == '`') return WRDE_CMDSUB;
    if (*w->at == '$') {
      error = __rz_wordexp_dollar(w, 1);
      continue;
    }
    if (*w->at == '\\' && w->at[1] && strchr("$`\"\\\n", w->at[1])) {
      w->at++;
      if (*w->at == '\n') {
        w->at++;
        continue;
      }
    }
    error = __rz_wordexp_put(w, *w->at++, 1);
  }
  w->at++;
  return error;
}

int __rz_wordexp_run(struct __rz_wordexp *w, int stops_at_brace) {
  int error = 0;
  while (*w->at && !error) {
    const char c = *w->at;
    if (stops_at_brace && c == '}') return 0;
    if (c == '\'') error = expand_single_quoted(w);
    else if (c == '"') error = expand_double_quoted(w);
    else if (c == '$') error = __rz_wordexp_dollar(w, 0);
    else if (c == '`') return WRDE_CMDSUB;
    else if (c == '~' && !w->is_word) error = expand_tilde(w);
    else if (c == '\\') {
      if (w->at[1] == 0) return WRDE_SYNTAX;
      if (w->at[1] != '\n') error = __rz_wordexp_put(w, w->at[1], 1);
      w->at += 2;
    } else if (c == ' ' || c == '\t') {
      error = __rz_wordexp_end_word(w);
      w->at++;
    } else if (strchr("\n|&;<>(){}", c)) {
      return WRDE_BADCHAR;
    } else {
      error = __rz_wordexp_put(w, c, 0);
      w->at++;
    }
  }
  return error;
}

static void start_empty(wordexp_t *result, int flags) {
  result->we_wordc = 0;
  result->we_wordv = 0;
  if (!(flags & WRDE_DOOFFS)) result->we_offs = 0;
}

/* Frees the words of a failed call, so that the result holds only those of earlier calls. */
static void take_back(wordexp_t *result, size_t count) {
  if (count == 0) {
    wordfree(result);
    return;
  }
  char **words = result->we_wordv + result->we_offs;
  while (result->we_wordc > count) free(words[--result->we_wordc]);
  words[count] = 0;
}

int wordexp(const char *restrict words, wordexp_t *restrict result, int flags) {
  if (flags & WRDE_REUSE) wordfree(result);
  if (!(flags & WRDE_APPEND)) start_empty(result, flags);
  if (!result->we_wordv) {
    result->we_wordv = calloc(result->we_offs + 1, sizeof *result->we_wordv);
    if (!result->we_wordv) return WRDE_NOSPACE;
  }
  size_t count = result->we_wordc;
  struct __rz_wordexp w = {.at = words, .flags = flags, .result = result};
  int error = __rz_wordexp_run(&w, 0);
  if (!error) error = __rz_wordexp_end_word(&w);
  free(w.text);
  free(w.quoted);
  if (error && error != WRDE_NOSPACE) take_back(result, count);
  return error;
}

void wordfree(wordexp_t *result) {
  for (size_t i = 0; i < result->we_wordc; i++) free(result->we_wordv[result->we_offs + i]);
  free(result->we_wordv);
  result->we_wordv = 0;
  result->we_wordc = 0;
}
