/* Messages in the program's own language. */
#include <libintl.h>

#include "given.h"

char *gettext(const char *message) { return dgettext(0, message); }

char *dgettext(const char *domain, const char *message) {
  __rz_given_optional_text(domain);
  __rz_given_optional_text(message);
  return (char *)message;
}

char *dcgettext(const char *domain, const char *message, int category) {
  (void)category;
  return dgettext(domain, message);
}

char *ngettext(const char *one, const char *many, unsigned long count) { return dngettext(0, one, many, count); }

char *dngettext(const char *domain, const char *one, const char *many, unsigned long count) {
  __rz_given_text(one);
  __rz_given_text(many);
  return dgettext(domain, count == 1 ? one : many);
}

char *dcngettext(const char *domain, const char *one, const char *many, unsigned long count, int category) {
  (void)category;
  return dngettext(domain, one, many, count);
}
