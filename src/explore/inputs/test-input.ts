/** Computes concrete inputs that follow a path. */
import type { Assignment } from '../../expr/evaluate.js';
import type { ConstraintSet } from '../../solver/constraint-set.js';
import type { Solver } from '../../solver/solver.js';
import type { Meaning } from '../memory/origin.js';
import type { State } from '../state/state.js';
import type { ByteDomains } from '../values/byte-domains.js';

export interface TestInput {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly meaning: Meaning;
}

/**
 * Whether an input is text. Bytes without a type count as text if they look like it, because they
 * may come from a file.
 */
export function isText({ bytes, meaning }: TestInput): boolean {
  if (meaning.elementBytes !== 1) return meaning.as === 'text';
  const end = bytes.findLastIndex(byte => byte !== 0) + 1;
  return end > 0 && bytes.subarray(0, end).every(byte => (byte >= 32 && byte < 127) || byte === 10);
}

interface Solving {
  readonly solver: Solver;
}

/** In the order of the path's inputs; undefined if the solver gave up. */
export function inputsOf(solving: Solving, state: State): TestInput[] | undefined {
  const arrays = assignmentOf(solving, state)?.arrays;
  const inputs = state.inputs.map(({ name, array, meaning }) => {
    return { name, bytes: arrays?.get(array.name) ?? new Uint8Array(0), meaning };
  });
  return arrays && [...inputs, ...scheduleOf(state)];
}

/**
 * The object of a test that names the thread to run after each scheduling choice; `replay` follows
 * it.
 */
export const scheduleObject = 'redzone_schedule';

function scheduleOf({ threads }: State): TestInput[] {
  if (threads === undefined || threads.choices === 0) return [];
  return [{ name: scheduleObject, bytes: threads.schedule(), meaning: { as: 'unsigned', elementBytes: 1 } }];
}

/** Values for everything on which the path depends; further calls return the same. */
export function assignmentOf({ solver }: Solving, state: State): Assignment | undefined {
  const arrays = [...state.inputs.map(({ array }) => array), ...(state.labels?.arrays ?? [])];
  const domains = preferredDomains(state);
  if (domains !== undefined) {
    const least = arrays.map(array => [array.name, domains.least(array)] as const);
    return { variables: new Map(), arrays: new Map(least) };
  }
  const outcome = solver.getModel(preferredConstraints(solver, state));
  if (outcome.kind !== 'sat') return undefined;
  const { variables, arrays: found } = outcome.model.assignment;
  const whole = arrays.map(array => {
    const bytes = new Uint8Array(array.byteLength);
    bytes.set(found.get(array.name)?.subarray(0, array.byteLength) ?? []);
    return [array.name, bytes] as const;
  });
  return { variables, arrays: new Map(whole) };
}

/** Whether the byte domains determine the test, independently of earlier queries. */
export function isNamedByDomains(state: State): boolean {
  return preferredDomains(state) !== undefined;
}

/** The number of queries that `inputsOf` makes unless the byte domains determine the test. */
export function queriesForInputs({ preferences }: State): number {
  return preferences.length + 1;
}

/** The possible bytes of the test, with preferences; undefined if the solver is needed. */
function preferredDomains({ domains, preferences }: State): ByteDomains | undefined {
  if (!domains.isExact) return undefined;
  if (preferences.length === 0) return domains;
  const preferred = domains.fork();
  for (const condition of preferences) {
    const verdict = preferred.decide(condition);
    if (verdict === 'unknown') return undefined;
    if (verdict === 'both') preferred.add(condition);
  }
  return preferred;
}

function preferredConstraints(solver: Solver, { constraints, preferences }: State): ConstraintSet {
  return preferences.reduce(
    (all, condition) => (solver.mayBeTrue(all, condition).kind === 'yes' ? all.add(condition) : all),
    constraints,
  );
}
