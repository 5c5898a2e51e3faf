#ifndef _NETINET_UDP_H
#define _NETINET_UDP_H 1

#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct udphdr {
  __extension__ union {
    struct {
      uint16_t uh_sport, uh_dport, uh_ulen, uh_sum;
    };
    struct {
      uint16_t source, dest, len, check;
    };
  };
};

#ifdef __cplusplus
}
#endif

#endif
