/* strtok, strtok_r */
#include <stdint.h>
#include <string.h>

#include "engine.h"
#include "raw.h"

/* Checked code has to find the token. */
#define UNDECIDED ((char *)-1)

RZ_RAW_BEGIN

/* The next token, and the text after it in *state, if all bytes that this takes are valid. */
RZ_RAW_ENTRY static char *take_token(char *text, const char *delimiters, char **state) {
  uint64_t set[4] = {0};
  size_t count = __rz_raw_strlen(delimiters);
  for (size_t i = 0; i < count; i++) set[(unsigned char)delimiters[i] / 64] |= (uint64_t)1 << (unsigned char)delimiters[i] % 64;
  char *token = text;
  while (set[(unsigned char)*token / 64] >> (unsigned char)*token % 64 & 1) token++;
  char *end = token;
  set[0] |= 1;
  while (!(set[(unsigned char)*end / 64] >> (unsigned char)*end % 64 & 1)) end++;
  if (!__rz_range_is_written(delimiters, count + 1) || !__rz_range_is_written(text, (size_t)(end - text) + 1)) return UNDECIDED;
  if (token != end && !__rz_range_takes_write(end, 1)) return UNDECIDED;
  if ((uintptr_t)state % sizeof *state != 0 || !__rz_range_takes_write(state, sizeof *state)) return UNDECIDED;
  if (token == end) {
    *state = NULL;
    return NULL;
  }
  *state = *end ? end + 1 : NULL;
  *end = 0;
  return token;
}

RZ_RAW_END

char *strtok_r(char *restrict text, const char *restrict delimiters, char **restrict state) {
  if (!text) text = *state;
  if (!text) return NULL;
  char *token = __rz_range_is_written(delimiters, 1) ? take_token(text, delimiters, state) : UNDECIDED;
  if (token != UNDECIDED) return token;
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

char *strtok(char *restrict text, const char *restrict delimiters) {
  static char *state;
  return strtok_r(text, delimiters, &state);
}
