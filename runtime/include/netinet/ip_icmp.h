#ifndef _NETINET_IP_ICMP_H
#define _NETINET_IP_ICMP_H 1

#include <netinet/in.h>
#include <netinet/ip.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct icmphdr {
  uint8_t type, code;
  uint16_t checksum;
  union {
    struct {
      uint16_t id, sequence;
    } echo;
    uint32_t gateway;
  } un;
};

struct icmp {
  uint8_t icmp_type, icmp_code;
  uint16_t icmp_cksum;
  uint16_t icmp_id, icmp_seq;
  uint8_t icmp_data[1];
};

#define ICMP_ECHOREPLY 0
#define ICMP_UNREACH 3
#define ICMP_ECHO 8
#define ICMP_MINLEN 8

#ifdef __cplusplus
}
#endif

#endif
