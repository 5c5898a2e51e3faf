/*
 * The older functions for hosts, services and protocols: they find nothing, because there is no
 * network and none of its files.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

#include "given.h"

struct hostent *gethostbyname2(const char *name, int family) {
  static struct in_addr address;
  static char host_name[256], *addresses[2], *aliases[1];
  static struct hostent host;
  const int is_local = strcmp(name, "localhost") == 0;
  if (family != AF_INET || strlen(name) >= sizeof host_name || (!is_local && !inet_aton(name, &address))) {
    h_errno = HOST_NOT_FOUND;
    return 0;
  }
  if (is_local) address.s_addr = htonl(INADDR_LOOPBACK);
  strcpy(host_name, name);
  addresses[0] = (char *)&address;
  host = (struct hostent){host_name, aliases, AF_INET, sizeof address, addresses};
  return &host;
}

struct hostent *gethostbyname(const char *name) { return gethostbyname2(name, AF_INET); }

/* The buffer holds the address, the two lists and the name. */
int gethostbyname_r(const char *restrict name, struct hostent *restrict entry, char *restrict buffer, size_t size,
                    struct hostent **restrict result, int *restrict error) {
  struct lists {
    char *addresses[2], *aliases[1];
    struct in_addr address;
  } *lists;
  const struct hostent *found = gethostbyname(name);
  const size_t padding = (size_t)-(unsigned long)buffer % sizeof(char *);
  const size_t name_size = strlen(name) + 1;
  *result = 0;
  if (!found) {
    *error = h_errno;
    return 0;
  }
  if (size < padding + sizeof *lists + name_size) return ERANGE;
  lists = (struct lists *)(void *)(buffer + padding);
  *lists = (struct lists){.address = *(const struct in_addr *)found->h_addr_list[0]};
  lists->addresses[0] = (char *)&lists->address;
  char *copy = memcpy(buffer + padding + sizeof *lists, name, name_size);
  *entry = (struct hostent){copy, lists->aliases, AF_INET, sizeof lists->address, lists->addresses};
  *result = entry;
  return 0;
}

/* The files of hosts, services and protocols have no entries. */
void sethostent(int stay_open) { (void)stay_open; }
void endhostent(void) {}
void setservent(int stay_open) { (void)stay_open; }
void endservent(void) {}
void setprotoent(int stay_open) { (void)stay_open; }
void endprotoent(void) {}
struct hostent *gethostent(void) { return 0; }
struct servent *getservent(void) { return 0; }
struct protoent *getprotoent(void) { return 0; }

struct hostent *gethostbyaddr(const void *address, socklen_t length, int family) {
  (void)family;
  __rz_given_object(address, length);
  h_errno = HOST_NOT_FOUND;
  return 0;
}

struct servent *getservbyname(const char *name, const char *protocol) {
  __rz_given_text(name);
  __rz_given_optional_text(protocol);
  return 0;
}

struct servent *getservbyport(int port, const char *protocol) {
  (void)port;
  __rz_given_optional_text(protocol);
  return 0;
}

struct protoent *getprotobyname(const char *name) {
  __rz_given_text(name);
  return 0;
}

struct protoent *getprotobynumber(int number) {
  (void)number;
  return 0;
}

const char *hstrerror(int code) {
  switch (code) {
    case 0: return "Resolver Error 0 (no error)";
    case HOST_NOT_FOUND: return "Unknown host";
    case TRY_AGAIN: return "Host name lookup failure";
    case NO_RECOVERY: return "Unknown server error";
    case NO_DATA: return "No address associated with name";
    default: return "Unknown resolver error";
  }
}

void herror(const char *message) {
  if (message && *message) fprintf(stderr, "%s: ", message);
  fprintf(stderr, "%s\n", hstrerror(h_errno));
}
