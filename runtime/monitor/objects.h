/*
 * The functions that instrumented code calls when a block begins or ends, and the records of its
 * globals.
 */
#ifndef RZ_OBJECTS_H
#define RZ_OBJECTS_H

#include "shadow.h"

/* Reserved bytes after each global. */
#define GLOBAL_REDZONE 16

struct global_record {
  const void *address;
  u32 bytes, number;
};

/* A function whose address is taken, and the number of its signature (check.h). */
struct function_record {
  void (*function)(void);
  u32 signature;
};

struct module_record {
  u64 id;
  const void *sites;
  const struct global_record *globals;
  const struct function_record *functions;
  u32 global_count, function_count;
};

/* In the mode with the shadow alone: reserved bytes before and after each local. */
#define LOCAL_REDZONE 16u

void *__rz_local_begin(void *local, u64 bytes, u32 variable);
/* The stack that a variable-length array needs; reports one that cannot fit. */
u64 __rz_dynamic_bytes(u64 bytes, u32 variable);
void __rz_local_end(void *local, u64 bytes);
/*
 * The variadic arguments of a call become a block at the first va_start, and end when the callee
 * returns. `known` is the result of an earlier va_start of the same activation, or null.
 */
void *__rz_variadic_begin(void *known, void *buffer, u32 bytes, u32 site);
void __rz_variadic_end(void *begun, u32 bytes);
/* Stored by the caller before a call with variadic arguments. */
extern u32 __rz_variadic_bytes;

/* Releases the stack between two addresses at once, with the VLAs in it. */
void __rz_stack_cut(void *from, void *to);
/* All frames below this stack pointer are gone, because longjmp has left them. */
void __rz_stack_abandon(void *stack);
/* The data that instrumented code uses: src/monitor/run/run-request.ts. */
enum monitor_mode { MODE_TAGS = 0, MODE_TAGS_AND_INIT = 1, MODE_SHADOW = 2 };

/*
 * Called once, before everything else: the stack is raw until locals begin, the globals are ready.
 * For the last three arguments, see store.h.
 */
void __rz_monitor_start(u32 stack_end, u32 mode, u32 store, u32 longest_shadowed, u32 asks_for_blocks);

#endif
