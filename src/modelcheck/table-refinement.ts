/**
 * Explores the shipped code in all interleavings and compares it with its model: every atomic step
 * of the code is a step of `models/table-protocol.ts` or changes nothing in it.
 *
 * The explorer of `hashtable` runs the code itself. After each of its steps the shared memory is
 * *abstracted*: which generation is current, whether it is being filled from its predecessor, and
 * how many entries are present, left behind and in flight. Two consecutive abstract states must be
 * equal, or a command of the model must lead from one to the other; the uses of each command are
 * counted.
 */
import {
  exploreTable,
  type InterleavingReport,
  type Mistake,
  SCENARIO_DESCRIPTOR,
  type StepEvent,
  type TableOperation,
} from '../hashtable/index.js';
import {
  CLOSED,
  Descriptor,
  EMPTY,
  ENTRY_BYTES,
  FROZEN,
  isQuiet,
  layOut,
  PRESENT,
  SPECIAL_ENTRIES,
  State,
  stateIn,
  Table,
  tableIn,
  VALUE,
} from '../hashtable/table-layout.js';
import { Meaning } from './evaluate-system.js';
import { tableProtocolSystem } from './models/table-protocol.js';
import type { Control, Outcome, Result } from './result.js';
import type { State as ModelState } from './system.js';

export interface CodeRequest {
  readonly threads: readonly (readonly TableOperation[])[];
  /** The contents of the table before. */
  readonly before: readonly TableOperation[];
  readonly capacity: number;
  readonly tax: number;
  /** A mistake in the code, to test that it is found. */
  readonly mistake?: Mistake;
}

export interface CodeReport {
  readonly results: readonly Result[];
  readonly executions: number;
  readonly steps: number;
  /** How often each command of the model was taken, and how many steps of the code were none. */
  readonly taken: ReadonlyMap<string, number>;
  readonly silent: number;
}

class TimeIsOver extends Error {}

export function checkTableCode(request: CodeRequest, control: Control): CodeReport {
  const start = performance.now();
  const refinement = new Refinement(control);
  const outcome = exploreCode(request, refinement);
  const ms = performance.now() - start;
  const result = (property: string, own: Outcome): Result => ({
    property,
    role: 'goal',
    engine: 'explicit',
    outcome: own,
    ms,
  });
  const untouched: Outcome = { status: 'unknown', reason: 'the other property failed first', depth: 0 };
  const { executions, steps, taken, silent, isBroken } = refinement;
  const isRefuted = outcome.status === 'refuted';
  return {
    results: [
      result(LINEARISABLE, isRefuted && isBroken ? untouched : outcome),
      result(REFINEMENT, isRefuted && !isBroken ? untouched : outcome),
    ],
    executions,
    steps,
    taken,
    silent,
  };
}

/** Finds for each step of the code the command of the model that it is. */
class Refinement {
  readonly #meaning = new Meaning(tableProtocolSystem());
  readonly #control: Control;
  /** By command, how often it was taken. */
  readonly taken: Map<string, number>;
  /** Steps that change nothing in the model. */
  silent = 0;
  executions = 0;
  steps = 0;
  /** Whether a step was no command. */
  isBroken = false;

  constructor(control: Control) {
    this.#control = control;
    this.taken = new Map(this.#meaning.system.commands.map(({ name }) => [name, 0]));
  }

  checkStep(event: StepEvent, words: Int32Array): string | undefined {
    this.steps++;
    if (this.steps % 1024 === 0) {
      this.#control.progress(`${this.steps} steps, ${this.executions} ends of runs`);
      if (this.#control.isOver()) throw new TimeIsOver();
    }
    // Cleared memory is not public yet.
    const mayMatter = event.wroteByteCount > 0 && event.kind !== 'zero';
    const [before, after] = mayMatter ? statesAround(event, words) : [[], []];
    if (before.every((value, i) => value === after[i])) {
      this.silent++;
      return undefined;
    }
    const meaning = this.#meaning;
    const command = meaning.stepBetween(before, after);
    if (command === undefined) {
      this.isBroken = true;
      return `refinement: ${event.step} of thread ${event.thread + 1} takes the model from ${show(meaning, before)} to ${show(meaning, after)}, which no command does`;
    }
    this.taken.set(command.name, this.taken.get(command.name)! + 1);
    return undefined;
  }
}

function exploreCode(
  { threads, before, capacity, tax, mistake }: CodeRequest,
  refinement: Refinement,
): Outcome {
  try {
    const exploration = exploreTable({
      threads,
      before,
      capacity,
      tax,
      ...(mistake !== undefined && { mistake }),
      checkStep: (event, words) => refinement.checkStep(event, words),
      // A state of the model is made of words far apart, so the order of steps that do not touch
      // each other matters, too.
      everyStep: true,
      checkExecution: () => {
        refinement.executions++;
        return undefined;
      },
    });
    return outcomeOf(exploration, refinement);
  } catch (error) {
    if (!(error instanceof TimeIsOver)) throw error;
    const { steps, executions } = refinement;
    const soFar = `nothing was wrong in ${steps} steps and ${executions} runs up to their ends`;
    return { status: 'unknown', reason: `the time was over; ${soFar}`, depth: 0 };
  }
}

function outcomeOf(exploration: InterleavingReport, { steps, silent, taken }: Refinement): Outcome {
  switch (exploration.outcome) {
    case 'violation': {
      const { message, trace } = exploration.violation!;
      return {
        status: 'refuted',
        trace: [
          { state: [] },
          ...trace.map(event => ({ command: describe(event), state: [] })),
          { command: message, state: [] },
        ],
      };
    }
    case 'stopped':
      return {
        status: 'unknown',
        reason: `stopped after ${exploration.steps} steps`,
        depth: exploration.longest,
      };
    case 'exhausted':
      return {
        status: 'proved',
        depth: exploration.longest,
        lemmas: [],
        certificate: `all interleavings: ${exploration.states} states, ${steps} steps; ${silent} change nothing in the model, the others are its commands (${shownCommands(taken)})`,
      };
  }
}

export const LINEARISABLE = 'linearisable';
export const REFINEMENT = 'refines the model';

function show(meaning: Meaning, state: ModelState): string {
  return `(${meaning.system.variables.map(({ name }, i) => `${name} ${state[i]}`).join(', ')})`;
}

function shownCommands(taken: ReadonlyMap<string, number>): string {
  return [...taken]
    .filter(([, times]) => times > 0)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
}

function describe({ thread, step, kind, wroteByteCount }: StepEvent): string {
  return `${step} (thread ${thread + 1}${kind === 'cas' && wroteByteCount === 0 ? ', in vain' : ''})`;
}

/** The states of the model before and after a step of the code. */
function statesAround(event: StepEvent, words: Int32Array): readonly [ModelState, ModelState] {
  // The memory before the step is the memory after it, with the old value of the word.
  const earlier = words.slice();
  const at = event.at >> 2;
  earlier[at] = event.before[0];
  if (event.byteCount === 8) earlier[at + 1] = event.before[1];
  const before = abstract(earlier);
  const after = abstract(words);
  // Addresses do not number generations. The model does not care where counting begins, so it
  // begins anew with each step.
  const isNext = after.table !== before.table && after.table !== 0;
  return [before.state, after.state.with(0, isNext ? 2 : 1)];
}

interface Abstract {
  readonly table: number;
  readonly state: ModelState;
}

function abstract(words: Int32Array): Abstract {
  const head = words[(SCENARIO_DESCRIPTOR + Descriptor.head) >> 2]!;
  const table = tableIn(head);
  if (table === 0) return { table, state: [1, 0, 1, 0, 0, 0] };
  const block = words[(SCENARIO_DESCRIPTOR + Descriptor.block) >> 2]!;
  const isExpanding = stateIn(head) === State.EXPANDING;
  const current = entriesOf(words, table, block);
  const isPresent = ({ high }: Entry): boolean => (high & PRESENT) !== 0;
  const present = current.filter(isPresent).length;
  if (!isExpanding) return { table, state: [1, 0, 0, present, 0, 0] };
  const previous = words[(table + Table.previous) >> 2]!;
  const old = entriesOf(words, previous, block).filter(isPresent);
  const at = (previous + Table.references) >> 2;
  const quiet = isQuiet((BigInt(words[at + 1]!) << 32n) | BigInt(words[at]! >>> 0));
  const mayChange = ({ high }: Entry): boolean => !quiet && (high & FROZEN) === 0;
  const left = old.filter(mayChange).length;
  const arrived = new Set(current.filter(({ low, high }) => low !== 0 || high !== 0).map(({ key }) => key));
  const inFlight = old.filter(entry => !mayChange(entry) && !arrived.has(entry.key)).length;
  return { table, state: [1, 1, 0, present, left, inFlight] };
}

interface Entry {
  readonly key: string;
  /** The value word. */
  readonly low: number;
  readonly high: number;
}

/** The entries that belong to a key. */
function entriesOf(words: Int32Array, table: number, block: number): Entry[] {
  const { capacity, entries } = layOut(words[(table + Table.capacity) >> 2]!, block);
  const found: Entry[] = [];
  for (let i = 0; i < capacity + SPECIAL_ENTRIES; i++) {
    const at = (table + entries + i * ENTRY_BYTES) >> 2;
    const [keyLow, keyHigh] = [words[at]!, words[at + 1]!];
    const isSpecial = i >= capacity;
    if (!isSpecial && keyLow === keyHigh && (keyLow === EMPTY || keyLow === CLOSED)) continue;
    const key = isSpecial ? `special ${i - capacity}` : `${keyLow} ${keyHigh}`;
    found.push({ key, low: words[at + VALUE / 4]!, high: words[at + VALUE / 4 + 1]! });
  }
  return found;
}
