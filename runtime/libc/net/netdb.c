/* Names of hosts: only addresses in digits, and "localhost", are known without a network. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int h_errno;

/* One result and its address, freed together. */
struct result {
  struct addrinfo info;
  union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
  } address;
};

static int parse_port(const char *service, in_port_t *port) {
  char *end;
  if (!service) return 0;
  const unsigned long value = strtoul(service, &end, 10);
  if (end == service || *end != 0 || value > 65535) return EAI_SERVICE;
  *port = htons((uint16_t)value);
  return 0;
}

/* Fills in the address that `node` names, in the requested family. */
static int parse_node(const char *node, const struct addrinfo *hints, struct result *result) {
  struct in_addr v4 = {htonl(hints->ai_flags & AI_PASSIVE ? INADDR_ANY : INADDR_LOOPBACK)};
  struct in6_addr v6;
  const int family = hints->ai_family;
  const int is_named = node && !(strcmp(node, "localhost") == 0 && !(hints->ai_flags & AI_NUMERICHOST));
  if (node && is_named && family != AF_INET && inet_pton(AF_INET6, node, &v6) == 1) {
    result->address.v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_addr = v6};
  } else if (family == AF_INET6) {
    if (is_named) return EAI_NONAME;
    v6 = hints->ai_flags & AI_PASSIVE && !node ? in6addr_any : in6addr_loopback;
    result->address.v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_addr = v6};
  } else {
    if (is_named && !inet_aton(node, &v4)) return EAI_NONAME;
    if (node && !is_named) v4.s_addr = htonl(INADDR_LOOPBACK);
    result->address.v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = v4};
  }
  return 0;
}

int getaddrinfo(const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
                struct addrinfo **restrict list) {
  static const struct addrinfo none;
  if (!hints) hints = &none;
  if (!node && !service) return EAI_NONAME;
  if (hints->ai_family != AF_UNSPEC && hints->ai_family != AF_INET && hints->ai_family != AF_INET6) return EAI_FAMILY;
  struct result *result = calloc(1, sizeof *result);
  if (!result) return EAI_MEMORY;
  in_port_t port = 0;
  int error = parse_port(service, &port);
  if (!error) error = parse_node(node, hints, result);
  if (error) {
    free(result);
    return error;
  }
  const int family = result->address.any.sa_family;
  if (family == AF_INET) result->address.v4.sin_port = port;
  else result->address.v6.sin6_port = port;
  const int type = hints->ai_socktype ? hints->ai_socktype : SOCK_STREAM;
  result->info = (struct addrinfo){
      .ai_flags = hints->ai_flags,
      .ai_family = family,
      .ai_socktype = type,
      .ai_protocol = hints->ai_protocol ? hints->ai_protocol : type == SOCK_DGRAM ? IPPROTO_UDP : IPPROTO_TCP,
      .ai_addrlen = family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6),
      .ai_addr = &result->address.any,
  };
  *list = &result->info;
  return 0;
}

void freeaddrinfo(struct addrinfo *list) {
  while (list) {
    struct addrinfo *next = list->ai_next;
    free(list);
    list = next;
  }
}

const char *gai_strerror(int code) {
  switch (code) {
    case EAI_BADFLAGS: return "Bad value for ai_flags";
    case EAI_NONAME: return "Name or service not known";
    case EAI_AGAIN: return "Temporary failure in name resolution";
    case EAI_FAIL: return "Non-recoverable failure in name resolution";
    case EAI_NODATA: return "No address associated with hostname";
    case EAI_FAMILY: return "ai_family not supported";
    case EAI_SOCKTYPE: return "ai_socktype not supported";
    case EAI_SERVICE: return "Servname not supported for ai_socktype";
    case EAI_ADDRFAMILY: return "Address family for hostname not supported";
    case EAI_MEMORY: return "Memory allocation failure";
    case EAI_SYSTEM: return "System error";
    default: return "Unknown error";
  }
}

int getnameinfo(const struct sockaddr *restrict address, socklen_t length, char *restrict host, socklen_t host_size,
                char *restrict service, socklen_t service_size, int flags) {
  in_port_t port;
  const void *bytes;
  if (address->sa_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
    const struct sockaddr_in *v4 = (const void *)address;
    port = v4->sin_port;
    bytes = &v4->sin_addr;
  } else if (address->sa_family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
    const struct sockaddr_in6 *v6 = (const void *)address;
    port = v6->sin6_port;
    bytes = &v6->sin6_addr;
  } else {
    return EAI_FAMILY;
  }
  if (flags & NI_NAMEREQD) return EAI_NONAME;
  if (host && host_size && !inet_ntop(address->sa_family, bytes, host, host_size)) return EAI_OVERFLOW;
  if (service && service_size) {
    const int needed = snprintf(service, service_size, "%u", ntohs(port));
    if (needed < 0 || (socklen_t)needed >= service_size) return EAI_OVERFLOW;
  }
  return 0;
}
