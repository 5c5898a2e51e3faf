/*
 * Classes and mappings by name: wctype, iswctype, wctrans, towctrans. A class is one plus its index
 * in the table.
 */
#include <string.h>
#include <wctype.h>

static const struct {
  const char *name;
  int (*test)(wint_t);
} classes[] = {
    {"alnum", iswalnum}, {"alpha", iswalpha}, {"blank", iswblank}, {"cntrl", iswcntrl}, {"digit", iswdigit}, {"graph", iswgraph},
    {"lower", iswlower}, {"print", iswprint}, {"punct", iswpunct}, {"space", iswspace}, {"upper", iswupper}, {"xdigit", iswxdigit},
};

#define CLASSES (sizeof classes / sizeof *classes)

static const int to_upper_case = 1, to_lower_case = 2; /* only their addresses matter */

wctype_t wctype(const char *name) {
  for (size_t i = 0; i < CLASSES; i++)
    if (strcmp(classes[i].name, name) == 0) return i + 1;
  return 0;
}

int iswctype(wint_t c, wctype_t type) { return type - 1 < CLASSES && classes[type - 1].test(c); }

wctrans_t wctrans(const char *name) {
  if (strcmp(name, "toupper") == 0) return &to_upper_case;
  return strcmp(name, "tolower") == 0 ? &to_lower_case : NULL;
}

wint_t towctrans(wint_t c, wctrans_t mapping) {
  if (mapping == &to_upper_case) return towupper(c);
  return mapping == &to_lower_case ? towlower(c) : c;
}
