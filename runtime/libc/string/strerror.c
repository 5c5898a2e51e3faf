/* strerror, strerror_r and similar functions. */
#include <errno.h>
#include <string.h>

#include "decimal.h"
#include "errors.h"

#define DESCRIPTION(name, text) [name] = text,
#define NAME(name, text) [name] = #name,

static const char *const descriptions[] = {[0] = "Success", __RZ_ERRORS(DESCRIPTION)};
static const char *const names[] = {[0] = "0", __RZ_ERRORS(NAME)};

#define COUNT ((int)(sizeof descriptions / sizeof *descriptions))

const char *strerrordesc_np(int error) { return error >= 0 && error < COUNT ? descriptions[error] : NULL; }

const char *strerrorname_np(int error) { return error >= 0 && error < COUNT ? names[error] : NULL; }

static char *describe_unknown(int error, char *buffer, size_t size) {
  char number[__RZ_DECIMAL_SIZE];
  strlcpy(buffer, "Unknown error ", size);
  strlcat(buffer, __rz_decimal(number, error), size);
  return buffer;
}

char *strerror(int error) {
  static char unknown[40];
  const char *known = strerrordesc_np(error);
  return known ? (char *)known : describe_unknown(error, unknown, sizeof unknown);
}

char *strerror_l(int error, locale_t locale) {
  (void)locale;
  return strerror(error);
}

/* GNU's strerror_r: the buffer is used only when there is no constant text. */
char *__gnu_strerror_r(int error, char *buffer, size_t size) {
  const char *known = strerrordesc_np(error);
  return known ? (char *)known : describe_unknown(error, buffer, size);
}

/* POSIX's strerror_r. */
int strerror_r(int error, char *buffer, size_t size) {
  char unknown[40];
  const char *known = strerrordesc_np(error);
  const char *text = known ? known : describe_unknown(error, unknown, sizeof unknown);
  if (strlcpy(buffer, text, size) >= size) return ERANGE;
  return known ? 0 : EINVAL;
}
