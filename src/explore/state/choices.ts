/**
 * The kinds of concretization, named as in summaries. `docs/explore.md` says when each happens, and
 * `tests/explore/choices.test.ts` has a program for each.
 */
export const choices = [
  'a symbolic float',
  'a symbolic integer that becomes a float',
  'an input of a hard query about floats',
  'a printed number',
  'a symbolic file name',
  'a symbolic argument of the host',
  'a symbolic pointer given to the host',
  'a symbolic argument of an external function',
  'symbolic memory of an external function',
  'the symbolic size of an allocation',
  'the size of a block of the library',
  'a symbolic alignment',
  'the symbolic length of an array',
  'the symbolic length of a range',
  'the symbolic start of a range',
  'the symbolic start of a string',
  'a symbolic pointer to a string',
  'a symbolic offset into a large object',
  'a symbolic offset of a struct',
  'a symbolic index of a vector',
  'a symbolic va_list',
  'a symbolic jump buffer',
  'the symbolic start of an input',
  'the symbolic name of an input',
  'a symbolic pointer',
  'the length of a range that is not checked',
  'a symbolic value that a plug-in receives',
] as const;

export type Choice = (typeof choices)[number];
