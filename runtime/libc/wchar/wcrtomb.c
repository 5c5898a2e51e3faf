/* A wide character to a multibyte character of the locale: wcrtomb, which needs no state. */
#include <errno.h>
#include <wchar.h>

#include "locale-state.h"
#include "wide.h"

size_t wcrtomb(char *restrict text, wchar_t wide, mbstate_t *restrict state) {
  (void)state;
  if (!text) return 1;
  if ((unsigned)wide < 0x80 || __rz_is_utf8()) return __rz_utf8_encode(text, wide);
  errno = EILSEQ;
  return (size_t)-1;
}
