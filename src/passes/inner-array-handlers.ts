/**
 * What is known of the checks of inner arrays (`inner-bounds.ts`, `inner-texts.ts`) to those who
 * never see the IR: the flags for clang, and the handlers that an engine supplies. Apart from the
 * passes, so that running a program does not load the reader of IR.
 */

/**
 * What makes clang compare. An array of one element at the end of a structure is one of any length.
 */
export function innerBoundsFlags(keepGoing: boolean): string[] {
  return [
    '-fsanitize=array-bounds',
    ...(keepGoing ? ['-fsanitize-recover=array-bounds'] : []),
    '-fstrict-flex-arrays=1',
  ];
}

/** Whom it calls. The second one does not return. */
export const innerBoundsHandlers: readonly string[] = [
  '__ubsan_handle_out_of_bounds',
  '__ubsan_handle_out_of_bounds_abort',
];

/** What is done with an element, by the number that the handler gets. */
export const elementUses = ['address', 'read', 'write'] as const;

/** Whom the checks of texts call. */
export const innerTextHandler = '__rz_inner_text';
export const innerRangeHandler = '__rz_inner_range';

/** What the engines supply. */
export const innerArrayHandlers: readonly string[] = [
  ...innerBoundsHandlers,
  innerTextHandler,
  innerRangeHandler,
];
