/* nl_langinfo: an item is a category and a place in that category's table (see <langinfo.h>). */
#include <langinfo.h>
#include <locale.h>
#include <stddef.h>

#include "locale-state.h"

static const char *const time_texts[] = {
    "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat",
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
    "AM", "PM", "%a %b %e %H:%M:%S %Y", "%m/%d/%y", "%H:%M:%S", "%I:%M:%S %p",
    "", "", "", "", "",
};
static const char *const number_texts[] = {".", ""};
static const char *const money_texts[] = {"-"};
static const char *const message_texts[] = {"^[yY]", "^[nN]", "", ""};

#define CATEGORY(table) {table, sizeof table / sizeof *table}

static const struct {
  const char *const *texts;
  size_t count;
} categories[__RZ_CATEGORIES] = {
    [LC_NUMERIC] = CATEGORY(number_texts),
    [LC_TIME] = CATEGORY(time_texts),
    [LC_MONETARY] = CATEGORY(money_texts),
    [LC_MESSAGES] = CATEGORY(message_texts),
};

static const char *text_of(nl_item item, const struct __rz_locale *locale) {
  unsigned category = (unsigned)item >> 16, index = (unsigned)item & 0xffff;
  if (item == CODESET) return locale->is_utf8[LC_CTYPE] ? "UTF-8" : "ANSI_X3.4-1968";
  return category < __RZ_CATEGORIES && index < categories[category].count ? categories[category].texts[index] : "";
}

char *nl_langinfo(nl_item item) { return (char *)text_of(item, __rz_current_locale()); }

char *nl_langinfo_l(nl_item item, locale_t locale) {
  return (char *)text_of(item, locale == LC_GLOBAL_LOCALE ? &__rz_global_locale : locale);
}
