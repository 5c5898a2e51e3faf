#ifndef _NETINET_UDP_H
#define _NETINET_UDP_H 1

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct udphdr {
  uint16_t uh_sport, uh_dport, uh_ulen, uh_sum;
};

#ifdef __cplusplus
}
#endif

#endif
