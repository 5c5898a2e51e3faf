#ifndef _IFADDRS_H
#define _IFADDRS_H 1

#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program has no network: calls are reported as unsupported. */
struct ifaddrs {
  struct ifaddrs *ifa_next;
  char *ifa_name;
  unsigned int ifa_flags;
  struct sockaddr *ifa_addr, *ifa_netmask;
  union {
    struct sockaddr *ifu_broadaddr, *ifu_dstaddr;
  } ifa_ifu;
  void *ifa_data;
};
#define ifa_broadaddr ifa_ifu.ifu_broadaddr
#define ifa_dstaddr ifa_ifu.ifu_dstaddr

int getifaddrs(struct ifaddrs **list);
void freeifaddrs(struct ifaddrs *list);

#ifdef __cplusplus
}
#endif

#endif
