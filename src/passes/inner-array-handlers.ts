/**
 * The part of the checks of inner arrays (`inner-bounds.ts`, `inner-texts.ts`) that does not need
 * the IR: the flags for clang, and the handlers that an engine implements. It is separate from the
 * passes, so that running a program does not load the IR reader.
 */

/**
 * The flags for clang's bounds checks. An array of one element at the end of a structure counts as
 * a flexible array.
 */
export function innerBoundsFlags(): string[] {
  return ['-fsanitize=array-bounds', '-fsanitize-recover=array-bounds', '-fstrict-flex-arrays=1'];
}

/** The handlers that clang calls. The second one does not return. */
export const innerBoundsHandlers: readonly string[] = [
  '__ubsan_handle_out_of_bounds',
  '__ubsan_handle_out_of_bounds_abort',
];

/** The use of an element, by the number that the handler receives. */
export const elementUses = ['address', 'read', 'write'] as const;

/** The handlers of the checks of texts. */
export const innerTextHandler = '__rz_inner_text';
export const innerRangeHandler = '__rz_inner_range';

/** The handlers that engines implement. */
export const innerArrayHandlers: readonly string[] = [
  ...innerBoundsHandlers,
  innerTextHandler,
  innerRangeHandler,
];
