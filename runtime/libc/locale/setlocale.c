/*
 * setlocale. The name of a mixed locale lists its categories, "LC_CTYPE=C.UTF-8;LC_NUMERIC=C;...",
 * and is accepted back.
 */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "locale-state.h"

static const char *const category_names[__RZ_CATEGORIES] = {"LC_CTYPE",   "LC_NUMERIC",  "LC_TIME",
                                                            "LC_COLLATE", "LC_MONETARY", "LC_MESSAGES"};
static const char *const locale_names[2] = {"C", "C.UTF-8"};

static int ends_with_utf8(const char *name) {
  const char *dot = strchr(name, '.');
  return dot && (strcasecmp(dot, ".UTF-8") == 0 || strcasecmp(dot, ".utf8") == 0);
}

int __rz_parse_locale_name(int category, const char *name) {
  if (*name == 0) { /* any language of the environment is served by C.UTF-8 */
    const char *wanted = getenv("LC_ALL");
    if (!wanted || *wanted == 0) wanted = getenv(category_names[category]);
    if (!wanted || *wanted == 0) wanted = getenv("LANG");
    if (!wanted || *wanted == 0) return 0;
    if (ends_with_utf8(wanted)) return 1;
    name = wanted;
  }
  if (strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0) return 0;
  return strncmp(name, "C.", 2) == 0 && ends_with_utf8(name) ? 1 : -1;
}

/* Reads "LC_CTYPE=...;LC_NUMERIC=...;..." into the locale; 0, or -1 if it is not that. */
static int parse_list(const char *text, struct __rz_locale *locale) {
  for (int category = 0; category < __RZ_CATEGORIES; category++) {
    size_t length = strlen(category_names[category]);
    if (strncmp(text, category_names[category], length) != 0 || text[length] != '=') return -1;
    text += length + 1;
    char name[16];
    size_t size = strcspn(text, ";");
    if (size >= sizeof name) return -1;
    memcpy(name, text, size);
    name[size] = 0;
    int parsed = *name ? __rz_parse_locale_name(category, name) : -1;
    if (parsed < 0) return -1;
    locale->is_utf8[category] = (unsigned char)parsed;
    text += size + (text[size] == ';');
  }
  return *text == 0 ? 0 : -1;
}

static char *name_of_all(void) {
  static char list[160];
  const unsigned char *is_utf8 = __rz_global_locale.is_utf8;
  int mixed = 0;
  for (int category = 1; category < __RZ_CATEGORIES; category++) mixed |= is_utf8[category] != is_utf8[0];
  if (!mixed) return (char *)locale_names[is_utf8[0]];
  list[0] = 0;
  for (int category = 0; category < __RZ_CATEGORIES; category++) {
    if (category > 0) strcat(list, ";");
    strcat(list, category_names[category]);
    strcat(list, "=");
    strcat(list, locale_names[is_utf8[category]]);
  }
  return list;
}

char *setlocale(int category, const char *name) {
  if (category < 0 || category > LC_ALL) return NULL;
  if (category < LC_ALL) {
    if (name) {
      int parsed = __rz_parse_locale_name(category, name);
      if (parsed < 0) return NULL;
      __rz_global_locale.is_utf8[category] = (unsigned char)parsed;
    }
    return (char *)locale_names[__rz_global_locale.is_utf8[category]];
  }
  if (name) {
    struct __rz_locale locale;
    if (strchr(name, '=')) {
      if (parse_list(name, &locale) != 0) return NULL;
    } else {
      for (int i = 0; i < __RZ_CATEGORIES; i++) {
        int parsed = __rz_parse_locale_name(i, name);
        if (parsed < 0) return NULL;
        locale.is_utf8[i] = (unsigned char)parsed;
      }
    }
    __rz_global_locale = locale;
  }
  return name_of_all();
}
