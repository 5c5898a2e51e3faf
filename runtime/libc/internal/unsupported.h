/*
 * Ends the run at a call that is not supported and whose failure few programs expect; the finding
 * names the call. ENOSYS (result.h) is better for calls that a program can do without.
 */
#ifndef RZ_UNSUPPORTED_H
#define RZ_UNSUPPORTED_H

#include "engine.h"

#define UNSUPPORTED(call, why) __rz_abort("unsupported", call ": " why)
#define ONE_PROCESS "a program under Redzone is one process and starts no others"
#define NO_CHILDREN "a program under Redzone starts others only with `check --allow-run`"
#define NO_NETWORK "a program under Redzone has no network"
#define NO_SOCKETS "a program under Redzone has sockets, on the loopback, only with `check --allow-net`"
#define NOT_LOOPBACK "a program under Redzone can reach the loopback only"
#define ONLY_INTERNET "under Redzone a socket is one of IPv4 or IPv6 (SOCK_STREAM or SOCK_DGRAM)"
#define NO_KERNEL "Redzone has no such service of the operating system"

#endif
