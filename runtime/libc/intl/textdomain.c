/* The names of domains and folders are accepted and lead nowhere. */
#include <libintl.h>

char *textdomain(const char *domain) { return (char *)(domain ? domain : "messages"); }

char *bindtextdomain(const char *domain, const char *folder) {
  (void)domain;
  return (char *)(folder ? folder : "/usr/share/locale");
}

char *bind_textdomain_codeset(const char *domain, const char *codeset) {
  (void)domain;
  return (char *)codeset;
}
