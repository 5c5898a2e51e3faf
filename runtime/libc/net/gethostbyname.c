/*
 * The older functions for hosts, services and protocols: they find nothing, because there is no
 * network and none of its files.
 */
#include <arpa/inet.h>
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
