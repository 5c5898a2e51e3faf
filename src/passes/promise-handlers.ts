/**
 * The handlers of the passes that check promises to the compiler (`far-pointers.ts`,
 * `null-offsets.ts`, `assumed-alignment.ts`, `unsequenced.ts`), for code that does not load the IR.
 */

/** `(ptr base, i64 step, i32 isUnsigned)`: pointer arithmetic leaves every object. */
export const farPointerHandler = '__rz_far_pointer';

/** `(i64 offset)`: an offset, which may be 0, is added to a null pointer. */
export const nullOffsetHandler = '__rz_null_offset';

/** `(ptr address, i64 alignment)`: the address is not aligned as promised. */
export const assumedAlignmentHandler = '__rz_assumed_alignment';

/**
 * `(ptr name, i32 areBothWrites)`: an expression with two unsequenced accesses to a variable is
 * evaluated.
 */
export const unsequencedHandler = '__rz_unsequenced';

export const promiseHandlers: readonly string[] = [
  farPointerHandler,
  nullOffsetHandler,
  assumedAlignmentHandler,
  unsequencedHandler,
];
