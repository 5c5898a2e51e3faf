/* The names of the machine and of the user, which are fixed so that runs are reproducible. */
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "given.h"
#include "result.h"

static const char host_name[] = "localhost";
static const char user_name[] = "user";

static int copy_name(char *to, size_t size, const char *name, int too_small) {
  size_t n = strlen(name) + 1;
  if (n > size) return __rz_error(too_small);
  memcpy(to, name, n);
  return 0;
}

int gethostname(char *name, size_t size) { return copy_name(name, size, host_name, ENAMETOOLONG); }

int getdomainname(char *name, size_t size) { return copy_name(name, size, "(none)", EINVAL); }

int sethostname(const char *name, size_t size) {
  __rz_given_object(name, size);
  return __rz_error(EPERM);
}

long gethostid(void) { return 0; }

char *getlogin(void) {
  static char name[sizeof user_name];
  return strcpy(name, user_name);
}

int getlogin_r(char *name, size_t size) {
  if (size < sizeof user_name) return ERANGE;
  strcpy(name, user_name);
  return 0;
}

int uname(struct utsname *out) {
  memset(out, 0, sizeof *out);
  strcpy(out->sysname, "Linux");
  strcpy(out->nodename, host_name);
  strcpy(out->release, "6.0.0-redzone");
  strcpy(out->version, "#1");
  strcpy(out->machine, "wasm64");
  strcpy(out->domainname, "(none)");
  return 0;
}
