#ifndef _NETINET_IP_H
#define _NETINET_IP_H 1

#include <netinet/in.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ip {
  unsigned int ip_hl : 4, ip_v : 4;
  uint8_t ip_tos;
  uint16_t ip_len, ip_id, ip_off;
  uint8_t ip_ttl, ip_p;
  uint16_t ip_sum;
  struct in_addr ip_src, ip_dst;
};

struct iphdr {
  unsigned int ihl : 4, version : 4;
  uint8_t tos;
  uint16_t tot_len, id, frag_off;
  uint8_t ttl, protocol;
  uint16_t check;
  uint32_t saddr, daddr;
};

#define IPVERSION 4
#define IPTOS_LOWDELAY 0x10
#define IPTOS_THROUGHPUT 0x08
#define MAXTTL 255

#ifdef __cplusplus
}
#endif

#endif
