/* The names of domains and folders are accepted and lead nowhere. */
#include <libintl.h>

#include "given.h"

char *textdomain(const char *domain) {
  __rz_given_optional_text(domain);
  return (char *)(domain ? domain : "messages");
}

char *bindtextdomain(const char *domain, const char *folder) {
  __rz_given_optional_text(domain);
  __rz_given_optional_text(folder);
  return (char *)(folder ? folder : "/usr/share/locale");
}

char *bind_textdomain_codeset(const char *domain, const char *codeset) {
  __rz_given_optional_text(domain);
  __rz_given_optional_text(codeset);
  return (char *)codeset;
}
