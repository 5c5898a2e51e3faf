#ifndef _ARPA_NAMESER_H
#define _ARPA_NAMESER_H 1

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NS_PACKETSZ 512
#define NS_MAXDNAME 1025
#define C_IN 1
#define T_A 1
#define T_CNAME 5
#define T_MX 15
#define T_TXT 16
#define T_AAAA 28
#define T_SRV 33

#ifdef __cplusplus
}
#endif

#endif
