/* The locale in use. Apart from the other files, since most programs need nothing else of them. */
#include <stdlib.h>

#include "locale-state.h"

struct __rz_locale __rz_global_locale;

static locale_t in_use = LC_GLOBAL_LOCALE;

const struct __rz_locale *__rz_current_locale(void) { return in_use == LC_GLOBAL_LOCALE ? &__rz_global_locale : in_use; }

locale_t uselocale(locale_t locale) {
  locale_t previous = in_use;
  if (locale) in_use = locale;
  return previous;
}

int __rz_is_utf8(void) { return __rz_current_locale()->is_utf8[LC_CTYPE]; }

size_t __ctype_get_mb_cur_max(void) { return __rz_is_utf8() ? 4 : 1; }
