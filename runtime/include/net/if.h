#ifndef _NET_IF_H
#define _NET_IF_H 1

#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program has no network: calls are reported as unsupported. */
#define IF_NAMESIZE 16
#define IFNAMSIZ IF_NAMESIZE
enum { IFF_UP = 1, IFF_BROADCAST = 2, IFF_LOOPBACK = 8, IFF_POINTOPOINT = 16, IFF_RUNNING = 64, IFF_MULTICAST = 0x1000 };

struct ifreq {
  char ifr_name[IFNAMSIZ];
  union {
    struct sockaddr ifru_addr;
    short ifru_flags;
    int ifru_ivalue;
  } ifr_ifru;
};
#define ifr_addr ifr_ifru.ifru_addr
#define ifr_flags ifr_ifru.ifru_flags
#define ifr_ifindex ifr_ifru.ifru_ivalue

struct if_nameindex {
  unsigned int if_index;
  char *if_name;
};

struct if_nameindex *if_nameindex(void);
void if_freenameindex(struct if_nameindex *list);
unsigned int if_nametoindex(const char *name);
char *if_indextoname(unsigned int index, char *name);

#ifdef __cplusplus
}
#endif

#endif
