/* Addresses of IPv4 in their classic texts: up to four parts, decimal, octal or hexadecimal. */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * "a.b.c.d", or fewer parts, of which the last fills the rest: "127.1" is 127.0.0.1. In host order;
 * false if it is not an address. Blanks may follow.
 */
static int parse(const char *text, uint32_t *address) {
  uint32_t value = 0;
  for (int parts = 1; parts <= 4; parts++) {
    if (!isdigit((unsigned char)*text)) return 0;
    char *end;
    const unsigned long part = strtoul(text, &end, 0);
    if (*end == '.' && parts < 4) {
      if (part > 255) return 0;
      value = value << 8 | (uint32_t)part;
      text = end + 1;
      continue;
    }
    if (*end != 0 && !isspace((unsigned char)*end)) return 0;
    const int bits = 8 * (5 - parts);
    if (part >> bits != 0) return 0;
    *address = (uint32_t)((unsigned long)value << bits | part);
    return 1;
  }
  return 0;
}

int inet_aton(const char *text, struct in_addr *address) {
  uint32_t value;
  if (!parse(text, &value)) return 0;
  if (address) address->s_addr = htonl(value);
  return 1;
}

in_addr_t inet_addr(const char *text) {
  struct in_addr address;
  return inet_aton(text, &address) ? address.s_addr : INADDR_NONE;
}

in_addr_t inet_network(const char *text) {
  uint32_t value = 0;
  int parts = 0;
  for (;; parts++) {
    char *end;
    if (parts == 4 || !isdigit((unsigned char)*text)) return INADDR_NONE;
    const unsigned long part = strtoul(text, &end, 0);
    if (part > 255) return INADDR_NONE;
    value = value << 8 | (uint32_t)part;
    if (*end != '.') return *end == 0 || isspace((unsigned char)*end) ? value : INADDR_NONE;
    text = end + 1;
  }
}

char *inet_ntoa(struct in_addr address) {
  static char text[INET_ADDRSTRLEN];
  const uint32_t value = ntohl(address.s_addr);
  snprintf(text, sizeof text, "%u.%u.%u.%u", value >> 24, value >> 16 & 255, value >> 8 & 255, value & 255);
  return text;
}

/* Classes A, B and C: how many bits name the host. */
static int host_bits(uint32_t address) { return address >> 31 == 0 ? 24 : address >> 30 == 2 ? 16 : 8; }

struct in_addr inet_makeaddr(in_addr_t network, in_addr_t host) {
  const int bits = network < 128 ? 24 : network < 65536 ? 16 : network < 1u << 24 ? 8 : 0;
  return (struct in_addr){htonl(network << bits | (host & (uint32_t)((1ul << bits) - 1)))};
}

in_addr_t inet_lnaof(struct in_addr address) {
  const uint32_t value = ntohl(address.s_addr);
  return value & ((1u << host_bits(value)) - 1);
}

in_addr_t inet_netof(struct in_addr address) {
  const uint32_t value = ntohl(address.s_addr);
  return value >> host_bits(value);
}

const struct in6_addr in6addr_any = IN6ADDR_ANY_INIT;
const struct in6_addr in6addr_loopback = IN6ADDR_LOOPBACK_INIT;
