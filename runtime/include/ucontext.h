#ifndef _UCONTEXT_H
#define _UCONTEXT_H 1

#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls are reported as unsupported. */
int getcontext(ucontext_t *context);
int setcontext(const ucontext_t *context);
void makecontext(ucontext_t *context, void (*start)(void), int count, ...);
int swapcontext(ucontext_t *restrict old, const ucontext_t *restrict context);

#ifdef __cplusplus
}
#endif

#endif
