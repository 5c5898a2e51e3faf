/* Begins and ends blocks: locals with their scope, globals when the program starts. */
#include "objects.h"

#include "calls.h"
#include "check.h"
#include "report.h"
#include "ring.h"
#include "store.h"

u32 __rz_next_count = 1;
u32 __rz_track_init = 1;

/* Linked only into programs with threads. */
extern __attribute__((weak)) u32 __rz_thread_count;
extern __attribute__((weak)) void __rz_race_fresh(u32 address, u64 bytes);
extern __attribute__((weak)) void __rz_race_ended(u32 address, u64 bytes);

/* The address of the variadic arguments of a call without any: reading there is an error. */
#define NO_ARGUMENTS 16u

/* The stack is [0, stack_top). */
static u32 stack_top;

/* No local begins below this address, as far as the monitor knows. */
u32 __rz_lowest_local = CLIENT_END;
/* The lowest local of the whole run, and the lowest allowed address: `--budget stack`. Exported. */
u32 __rz_stack_mark = CLIENT_END, __rz_stack_limit;

/* The end of the running thread's stack. */
u32 __rz_stack_floor = NULL_PAGE_END;

/* A local begins lower than all before it, or nowhere. */
static __attribute__((noinline)) void go_lower(u32 address, u32 variable) {
  if (address < __rz_stack_floor || address >= CLIENT_END) __rz_report_stack_exhausted(variable);
  if (address < __rz_lowest_local) __rz_lowest_local = address;
  if (address >= __rz_stack_mark) return;
  __rz_stack_mark = address;
  if (address < __rz_stack_limit) __rz_report_budget(BUDGET_STACK, stack_top - address, variable);
}

/*
 * The mode with the 1:8 shadow alone: locals have redzones, and the stack outside them is
 * accessible.
 */
static u32 shadow_alone;

static void poison_around(u32 address, u32 bytes) {
  __builtin_memset(SHADOW + ((address - LOCAL_REDZONE) >> 3), SHADOW_REDZONE, LOCAL_REDZONE >> 3);
  __builtin_memset(SHADOW + ((address + bytes + 7) >> 3), SHADOW_REDZONE, LOCAL_REDZONE >> 3);
}

/*
 * Most locals have a few granules and live for a few accesses, so that calls and loops over the
 * parts would take longer than the stores. The length of such a local; 0 if it has redzones or an
 * entry in the trie, or if initialisation is not tracked.
 */
static u32 few_bytes;
#define FEW_BYTES 64u

/* A fresh block of few bytes: the granules are special, and no byte is initialised. */
__attribute__((no_builtin("memset"))) static inline void own_few(u32 address, u32 bytes, u32 number) {
  u32 first = address >> 3, last = first + ((bytes - 1) >> 3), word = special_word_for(number);
  for (u32 g = first; g < last; g++) TAGS[g] = word, SHADOW[g] = 0, INIT[g] = 0;
  TAGS[last] = word, SHADOW[last] = bytes & 7, INIT[last] = 0;
}

static __attribute__((noinline)) void own_many(u32 address, u32 bytes, u32 number) {
  __rz_own(address, bytes, number, 0);
  if (shadow_alone) poison_around(address, bytes);
}

__attribute__((no_builtin("memset"))) static inline void disown_few(u32 address, u32 bytes) {
  u32 first = address >> 3, last = first + ((bytes - 1) >> 3);
  for (u32 g = first; g <= last; g++) TAGS[g] = NO_BLOCK, SHADOW[g] = SHADOW_OUT_OF_SCOPE;
}

/* Makes a part of the stack inaccessible again. */
static void give_back(u32 address, u32 bytes) {
  __rz_disown(address, bytes, NO_BLOCK, SHADOW_OUT_OF_SCOPE);
  u32 around = address < LOCAL_REDZONE ? address : LOCAL_REDZONE;
  if (shadow_alone) __builtin_memset(SHADOW + ((address - around) >> 3), 0, (around + bytes + 7 + LOCAL_REDZONE) >> 3);
}

static u32 kept_locals, until_compaction;

/* Removes the locals whose scope has ended. */
static void compact_kept_locals(void) {
  u32 kept = 0;
  for (u32 i = 0; i < kept_locals; i++) {
    if (is_alive(KEPT_LOCALS + i)) KEPT_LOCALS[kept++] = KEPT_LOCALS[i];
  }
  __builtin_memset(KEPT_LOCALS + kept, 0, (kept_locals - kept) * sizeof(struct retired));
  kept_locals = kept;
}

/*
 * A deep recursion may have more live locals than fit. The newest are not kept then, and the array
 * is compacted again only after some thousands of them.
 */
void __rz_keep_local(const struct retired *local) {
  if (kept_locals == KEPT_LOCALS_LENGTH - 1) {
    if (until_compaction-- > 0) return;
    until_compaction = KEPT_LOCALS_LENGTH / 4;
    compact_kept_locals();
    if (kept_locals == KEPT_LOCALS_LENGTH - 1) return;
  }
  KEPT_LOCALS[kept_locals++] = *local;
}

const struct retired *__rz_entry_of(u32 number) {
  u32 count = count_of(number);
  const struct retired *entry = LOCAL_RING + (count & (LOCAL_RING_LENGTH - 1));
  if (entry->number == number) return entry;
  entry = RING + (count & (RING_LENGTH - 1));
  if (entry->number == number) return entry;
  for (entry = KEPT_LOCALS; entry->number; entry++)
    if (entry->number == number) return entry;
  return 0;
}

void *__rz_local_begin(void *local, u64 bytes, u32 variable) {
  u32 address = address_of(local), number = fresh_number();
  if (address < __rz_lowest_local || address < __rz_stack_mark || address >= CLIENT_END) go_lower(address, variable);
  if (bytes - 1 < few_bytes) own_few(address, (u32)bytes, number);
  else own_many(address, (u32)bytes, number);
  if (&__rz_thread_count && __rz_thread_count > 1) __rz_race_fresh(address, bytes);
  enter_local(number, BLOCK_STACK, address, (u32)bytes, variable, __rz_depth);
  return pointer(address, number);
}

u64 __rz_dynamic_bytes(u64 bytes, u32 variable) {
  if (bytes > stack_top) __rz_report_stack_exhausted(variable);
  return ((bytes + 7) & ~7ul) + (shadow_alone ? 2 * LOCAL_REDZONE : 0);
}

void __rz_local_end(void *local, u64 bytes) {
  if (&__rz_thread_count && __rz_thread_count > 1) __rz_race_ended(address_of(local), bytes);
  if (bytes - 1 < few_bytes) disown_few(address_of(local), (u32)bytes);
  else give_back(address_of(local), (u32)bytes);
}

u32 __rz_variadic_bytes;

/*
 * The undefined bits of structs that are passed and returned as their only member:
 * instrument/undefined-values.ts writes them before a call or a return, and reads them after it.
 */
#define MOST_UNDEFINED_ARGUMENTS 16
u64 __rz_undefined_arguments[MOST_UNDEFINED_ARGUMENTS], __rz_undefined_result;
/* Where they were loaded from, or null. */
const void *__rz_undefined_argument_origins[MOST_UNDEFINED_ARGUMENTS], *__rz_undefined_result_origin;

void *__rz_variadic_begin(void *known, void *buffer, u32 bytes, u32 site) {
  if (known) return known;
  u32 number = fresh_number(), address = bytes == 0 ? NO_ARGUMENTS : address_of(buffer);
  if (bytes) __rz_own(address, bytes, number, bytes);
  enter_local(number, BLOCK_VARIADIC, address, bytes, site, __rz_depth);
  return pointer(address, number);
}

void __rz_variadic_end(void *begun, u32 bytes) {
  if (begun && bytes) give_back(address_of(begun), bytes);
}

void __rz_stack_cut(void *from, void *to) {
  if (address_of(from) < address_of(to))
    give_back(address_of(from) & ~7u, address_of(to) - (address_of(from) & ~7u));
}

/* Linked only into programs with annotations. */
extern __attribute__((weak)) void __rz_acsl_abandon(const void *stack);

void __rz_stack_abandon(void *stack) {
  if (__rz_acsl_abandon) __rz_acsl_abandon(stack);
  __rz_stack_cut(raw(__rz_lowest_local), stack);
  __rz_lowest_local = address_of(stack);
}

/*
 * The records of all instrumented objects: the linker defines symbols for the ends of their
 * section.
 */
extern const struct module_record __start_rz_modules[], __stop_rz_modules[];

static void load_module(const struct module_record *module) {
  for (u32 i = 0; i < module->global_count; i++) {
    const struct global_record *global = module->globals + i;
    __rz_own(address_of(global->address), global->bytes, global->number, global->bytes);
    u32 end = (address_of(global->address) + global->bytes + 7) & ~7u;
    __rz_disown(end, GLOBAL_REDZONE, NO_BLOCK, SHADOW_REDZONE);
  }
  for (u32 i = 0; i < module->function_count; i++) {
    u64 index = (u64)module->functions[i].function;
    if (index < SIGNATURES) __rz_signatures[index] = module->functions[i].signature;
  }
  __rz_module_loaded((u32)module->id, (u32)(module->id >> 32), address_of(module->sites), address_of(module->globals));
}

void __rz_monitor_start(u32 stack_end, u32 mode, u32 store, u32 longest_shadowed, u32 asks_for_blocks) {
  __rz_track_init = mode == MODE_TAGS_AND_INIT;
  shadow_alone = mode == MODE_SHADOW;
  __rz_store = store, __rz_longest_shadowed = longest_shadowed, __rz_asks_for_blocks = asks_for_blocks;
  int is_in_tags_alone = store == STORE_SHADOW || (store == STORE_HYBRID && !asks_for_blocks && longest_shadowed >= FEW_BYTES);
  few_bytes = mode == MODE_TAGS_AND_INIT && is_in_tags_alone ? FEW_BYTES : 0;
  stack_top = stack_end;
  __builtin_memset(SHADOW, SHADOW_REDZONE, NULL_PAGE_END >> 3);
  for (const struct module_record *module = __start_rz_modules; module < __stop_rz_modules; module++) load_module(module);
}
