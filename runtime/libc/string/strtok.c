/* strtok, strtok_r */
#include <stdint.h>
#include <string.h>

#include "engine.h"
#include "raw.h"

/* Checked code has to find the token. */
#define UNDECIDED ((char *)-1)

RZ_RAW_BEGIN

static char *after_delimiters(char *text, const uint64_t *set) {
  while (set[(unsigned char)*text / 64] >> (unsigned char)*text % 64 & 1) text++;
  return text;
}

static char *after_token(char *token, const uint64_t *set) {
  while (*token && !(set[(unsigned char)*token / 64] >> (unsigned char)*token % 64 & 1)) token++;
  return token;
}

/*
 * The next token, and the text after it in *state, if all bytes that this takes are valid. The
 * delimiters are; so is the state of strtok.
 */
RZ_RAW_ENTRY static char *take_token(char *text, const char *delimiters, size_t count, char **state, int is_own_state) {
  char *token = text, *end;
  if (count == 1) {
    while (*token == *delimiters) token++;
    end = token + __rz_raw_strchrnul(token, *delimiters);
  } else {
    uint64_t set[4] = {0};
    for (size_t i = 0; i < count; i++) set[(unsigned char)delimiters[i] / 64] |= (uint64_t)1 << (unsigned char)delimiters[i] % 64;
    token = after_delimiters(text, set), end = after_token(token, set);
  }
  if (!__rz_range_is_written(text, (size_t)(end - text) + 1)) return UNDECIDED;
  if (token != end && !__rz_range_takes_write(end, 1)) return UNDECIDED;
  if (!is_own_state && ((uintptr_t)state % sizeof *state != 0 || !__rz_range_takes_write(state, sizeof *state))) return UNDECIDED;
  if (token == end) {
    *state = NULL;
    return NULL;
  }
  *state = *end ? end + 1 : NULL;
  *end = 0;
  return token;
}

RZ_RAW_END

static inline __attribute__((always_inline)) char *next_token(char *text, const char *delimiters, char **state, int is_own_state) {
  if (!text) text = *state;
  if (!text) return NULL;
  size_t count = __rz_raw_strlen(delimiters);
  if (__rz_range_is_written(delimiters, count + 1)) {
    char *token = take_token(text, delimiters, count, state, is_own_state);
    if (token != UNDECIDED) return token;
  }
  text += strspn(text, delimiters);
  if (*text == 0) {
    *state = NULL;
    return NULL;
  }
  char *end = text + strcspn(text, delimiters);
  *state = *end ? end + 1 : NULL;
  *end = 0;
  return text;
}

char *strtok_r(char *restrict text, const char *restrict delimiters, char **restrict state) {
  return next_token(text, delimiters, state, 0);
}

char *strtok(char *restrict text, const char *restrict delimiters) {
  static char *state;
  return next_token(text, delimiters, &state, 1);
}
