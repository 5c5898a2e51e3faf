/**
 * What the passes call that watch promises to the compiler (`far-pointers.ts`, `unsequenced.ts`),
 * known to those who never see the IR.
 */

/** `(ptr base, i64 step, i32 isUnsigned)`: a pointer is moved farther than any object reaches. */
export const farPointerHandler = '__rz_far_pointer';

/** `(ptr name, i32 areBothWrites)`: an expression with two accesses to a variable is evaluated. */
export const unsequencedHandler = '__rz_unsequenced';

export const promiseHandlers: readonly string[] = [farPointerHandler, unsequencedHandler];
