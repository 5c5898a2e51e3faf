/* newlocale, duplocale, freelocale */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>

#include "locale-state.h"

locale_t newlocale(int category_mask, const char *name, locale_t base) {
  struct __rz_locale wanted = base ? *base : (struct __rz_locale){{0}};
  if (!name || (category_mask & ~LC_ALL_MASK) != 0) {
    errno = EINVAL;
    return NULL;
  }
  for (int category = 0; category < __RZ_CATEGORIES; category++) {
    if (!(category_mask & 1 << category)) continue;
    int parsed = __rz_parse_locale_name(category, name);
    if (parsed < 0) {
      errno = ENOENT;
      return NULL;
    }
    wanted.is_utf8[category] = (unsigned char)parsed;
  }
  locale_t result = base ? base : malloc(sizeof *result);
  if (result) *result = wanted;
  return result;
}

locale_t duplocale(locale_t locale) {
  locale_t copy = malloc(sizeof *copy);
  if (copy) *copy = locale == LC_GLOBAL_LOCALE ? __rz_global_locale : *locale;
  return copy;
}

void freelocale(locale_t locale) { free(locale); }
