/**
 * The handlers of the passes that check promises to the compiler (`far-pointers.ts`,
 * `unsequenced.ts`), for code that does not load the IR.
 */

/** `(ptr base, i64 step, i32 isUnsigned)`: pointer arithmetic leaves every object. */
export const farPointerHandler = '__rz_far_pointer';

/**
 * `(ptr name, i32 areBothWrites)`: an expression with two unsequenced accesses to a variable is
 * evaluated.
 */
export const unsequencedHandler = '__rz_unsequenced';

export const promiseHandlers: readonly string[] = [farPointerHandler, unsequencedHandler];
