/** Bytes for the inputs of a path that lead along it. */
import type { Assignment } from '../expr/evaluate.js';
import type { Machine } from './machine.js';
import type { Meaning } from './origin.js';
import type { State } from './state.js';

export interface TestInput {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly meaning: Meaning;
}

/** Is this a text? Bytes that are no characters by their type are one if they look like it: they may come from a file. */
export function isText({ bytes, meaning }: TestInput): boolean {
  if (meaning.elementBytes !== 1) return meaning.as === 'text';
  const end = bytes.findLastIndex(byte => byte !== 0) + 1;
  return end > 0 && bytes.subarray(0, end).every(byte => (byte >= 32 && byte < 127) || byte === 10);
}

/** In the order of the path's inputs; undefined if the solver gave up. */
export function inputsOf(machine: Machine, state: State): TestInput[] | undefined {
  const arrays = assignmentOf(machine, state)?.arrays;
  return (
    arrays &&
    state.inputs.map(({ name, array, meaning }) => ({ name, bytes: arrays.get(array.name)!, meaning }))
  );
}

/** Values for everything that the path depends on; asking again gives the same. */
export function assignmentOf({ terms, solver }: Machine, state: State): Assignment | undefined {
  const { domains, inputs } = state;
  if (domains.isExact) {
    const least = inputs.map(({ array }) => {
      const bytes = new Uint8Array(array.byteLength);
      for (let i = 0; i < bytes.length; i++)
        bytes[i] = domains.least(terms.read(array, terms.constant(32, i)));
      return [array.name, bytes] as const;
    });
    return { variables: new Map(), arrays: new Map(least) };
  }
  const outcome = solver.getModel(state.constraints);
  if (outcome.kind !== 'sat') return undefined;
  const { variables, arrays } = outcome.model.assignment;
  const whole = inputs.map(({ array }) => {
    const bytes = new Uint8Array(array.byteLength);
    bytes.set(arrays.get(array.name)?.subarray(0, array.byteLength) ?? []);
    return [array.name, bytes] as const;
  });
  return { variables, arrays: new Map(whole) };
}
