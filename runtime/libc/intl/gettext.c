/* Messages in the program's own language. */
#include <libintl.h>

char *gettext(const char *message) { return (char *)message; }

char *dgettext(const char *domain, const char *message) {
  (void)domain;
  return (char *)message;
}

char *dcgettext(const char *domain, const char *message, int category) {
  (void)domain, (void)category;
  return (char *)message;
}

char *ngettext(const char *one, const char *many, unsigned long count) { return (char *)(count == 1 ? one : many); }

char *dngettext(const char *domain, const char *one, const char *many, unsigned long count) {
  (void)domain;
  return (char *)(count == 1 ? one : many);
}
