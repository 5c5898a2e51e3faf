/*
 * A program whose inputs are the arguments of LLVMFuzzerTestOneInput. It is started like any
 * program, and stops where `main` would begin: after constructors and LLVMFuzzerInitialize. Each
 * input starts with the memory at this point.
 */
#include "fuzz.h"

extern int __rz_argc;
extern char **__rz_argv;

int LLVMFuzzerTestOneInput(const u8 *data, u64 size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);
__attribute__((weak)) u64 LLVMFuzzerCustomMutator(u8 *data, u64 size, u64 most, u32 seed);
__attribute__((weak)) u64 LLVMFuzzerCustomCrossOver(const u8 *first, u64 first_size, const u8 *second, u64 second_size,
                                                    u8 *out, u64 most, u32 seed);

/* The seed of LLVMFuzzerMutate; absent from programs that do not call it. */
extern __attribute__((weak)) u32 __rz_mutation_seed;

/*
 * The monitor's malloc, also if the program defines its own. The block is allocated as initialised,
 * because marking it afterwards takes a walk over its granules in each run.
 */
void *__rz_input_block(u64 bytes);
void __rz_input_free(void *p);

/* Leaves the program by an exception; its frames stay in place. */
void __rz_fuzz_ready(void) FUZZ_IMPORT(__rz_fuzz_ready);

int __main_void(void) {
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&__rz_argc, &__rz_argv);
  __rz_fuzz_ready();
  return 0;
}

/*
 * A block of exactly this size, so that an access past the input is detected. It is filled with
 * zeros, which marks its blocks as dirty, so that the caller may fill it.
 */
u8 *__rz_target_room(u64 bytes) { return __rz_input_block(bytes); }

/* Returns the target's result: -1 means that the input must not be added to the corpus. */
int __rz_target_one(u8 *input, u64 bytes) {
  int result = LLVMFuzzerTestOneInput(input, bytes);
  __rz_input_free(input);
  return result;
}

/*
 * The same with numbers of 32 bits, which JavaScript passes in a fraction of the time: the room for
 * an input, as its address, and a run on what is there.
 */
u32 __rz_fuzz_room(u32 bytes) {
  u64 room = (u64)__rz_target_room(bytes);
  STATE->owner = (u32)(room >> 32);
  return STATE->room = (u32)room;
}

int __rz_fuzz_one(u32 bytes) { return __rz_target_one((u8 *)((u64)STATE->owner << 32 | STATE->room), bytes); }

u32 __rz_target_mutators(void) { return (LLVMFuzzerCustomMutator ? 1 : 0) | (LLVMFuzzerCustomCrossOver ? 2 : 0); }

u64 __rz_target_mutate(u8 *data, u64 size, u64 most, u32 seed) {
  if (&__rz_mutation_seed) __rz_mutation_seed = seed;
  return LLVMFuzzerCustomMutator ? LLVMFuzzerCustomMutator(data, size, most, seed) : size;
}

u64 __rz_target_cross_over(u8 *first, u64 first_size, u8 *second, u64 second_size, u8 *out, u64 most, u32 seed) {
  if (&__rz_mutation_seed) __rz_mutation_seed = seed;
  return LLVMFuzzerCustomCrossOver ? LLVMFuzzerCustomCrossOver(first, first_size, second, second_size, out, most, seed) : 0;
}
