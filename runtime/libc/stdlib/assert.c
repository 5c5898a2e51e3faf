/* What assert() calls when its condition is false. */
#include <assert.h>
#include <string.h>

#include "decimal.h"
#include "exit.h"

/* Long conditions are truncated: a part is enough to find the assertion. */
_Noreturn void __assert_fail(const char *condition, const char *file, unsigned int line, const char *function) {
  char message[1024], number[__RZ_DECIMAL_SIZE];
  const char *parts[] = {file, ":", __rz_decimal(number, line), ": ", function, ": Assertion `", condition, "' failed."};
  message[0] = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) strlcat(message, parts[i], sizeof message);
  __rz_abort_program("assertion-failure", message);
}
