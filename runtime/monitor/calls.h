/*
 * The call stack for reports and allocation sites.
 *
 * Instrumented functions maintain it: `__rz_depth` is the address of the first free slot; a
 * function with calls allocates one slot, and writes the site of the next call into it.
 */
#ifndef RZ_CALLS_H
#define RZ_CALLS_H

#include "shadow.h"

#define CALLS_START 0x80000000u

extern u32 __rz_depth;
/* Where the call stack of the running thread begins. */
extern u32 __rz_calls_start;

/* The function pointer of the latest indirect call, which explains a trap. */
extern u64 __rz_callee;

/* The number of the current stack in the table of stacks; 0 when the table is full. */
u32 __rz_stack_id(void);
/* A block was allocated with this stack. */
void __rz_count_allocation(u32 stack);

#endif
