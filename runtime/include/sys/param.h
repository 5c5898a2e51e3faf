/* <sys/param.h>: historical limits and small macros */
#ifndef _SYS_PARAM_H
#define _SYS_PARAM_H

#include <endian.h>
#include <limits.h>
#include <signal.h>
#include <sys/types.h>

#define MAXPATHLEN 4096
#define MAXHOSTNAMELEN 64
#define MAXSYMLINKS 20
#define MAXNAMLEN 255
#define NGROUPS 32
#define NOFILE 256
#define NBBY 8
#define DEV_BSIZE 512
#define HZ 100

#undef MIN
#undef MAX
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#define howmany(n, d) (((n) + ((d)-1)) / (d))
#define roundup(n, d) (howmany(n, d) * (d))
#define powerof2(n) !(((n)-1) & (n))

#define setbit(a, i) ((a)[(i) / NBBY] |= 1 << ((i) % NBBY))
#define clrbit(a, i) ((a)[(i) / NBBY] &= ~(1 << ((i) % NBBY)))
#define isset(a, i) ((a)[(i) / NBBY] & (1 << ((i) % NBBY)))
#define isclr(a, i) (((a)[(i) / NBBY] & (1 << ((i) % NBBY))) == 0)

#endif
