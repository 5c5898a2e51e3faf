#ifndef _RESOLV_H
#define _RESOLV_H 1

#include <netinet/in.h>
#include <stdio.h>
#include <sys/param.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program has no network: calls are reported as unsupported. */
#define NS_PACKETSZ 512

int res_init(void);
int res_query(const char *name, int class, int type, unsigned char *answer, int length);
int res_search(const char *name, int class, int type, unsigned char *answer, int length);
int dn_expand(const unsigned char *message, const unsigned char *end, const unsigned char *source, char *target, int length);

#ifdef __cplusplus
}
#endif

#endif
