/**
 * Small programs on a table, run in all interleavings: the tests and `redzone prove hashtable`
 * explore them.
 *
 * Each run is checked in four ways. The history of calls, and a `find` of every key at the end,
 * must be linearisable to a map. Only steps of the pool may access a block that was released, and
 * no step may release one that is held. A failed assertion of the table's code is a finding. After
 * all handles are closed, exactly the tables that are reachable from the head remain. The
 * assumptions of the reductions are checked with every step.
 */
import { Interpreter, joined, Process, type StepValue } from '../language/interpret.js';
import { blocksIn, POOL_BYTES, Pool, type PoolBlock } from '../pool.js';
import type { StepName } from '../shared-memory.js';
import { tableProgram } from '../source/index.js';
import { createHashTable } from '../table.js';
import { addOutcomes } from '../table-handle.js';
import {
  CLOSED,
  Descriptor,
  ENTRY_BYTES,
  FROZEN,
  isQuiet,
  layOut,
  SMALLEST_SAME_SIZE,
  SPECIAL_ENTRIES,
  State,
  stateIn,
  Table,
  tableIn,
  VALUE,
  WIDE,
} from '../table-layout.js';
import { type Execution, exploreInterleavings, type InterleavingReport } from './explore-interleavings.js';
import type { ByteRange } from './futures.js';
import { InterpretedMemory, runAlone } from './interpreted-memory.js';
import type { SequentialModel } from './linearizability.js';
import { type Mistake, mistakes } from './mistakes.js';
import { SimulatedMemory, type Step } from './simulated-memory.js';
import type { StepEvent, ThreadCall } from './simulated-thread.js';

export type TableOperation =
  | { readonly kind: 'add'; readonly key: number; readonly value: number }
  | { readonly kind: 'remove' | 'find'; readonly key: number }
  /** Closes the thread's handle and opens another. */
  | { readonly kind: 'reopen' }
  | { readonly kind: 'delete' };

/**
 * `add` returns its outcome, `remove` whether the key was there, and `find` the value or -1.
 */
export type TableResult = string | boolean | number;

type TableState = ReadonlyMap<number, number>;

export interface TableScenario {
  /** The operations of each thread. */
  readonly threads: readonly (readonly TableOperation[])[];
  /** The operations of one thread before the others, without interleaving. */
  readonly before?: readonly TableOperation[];
  /** The initial capacity; 4 by default. */
  readonly capacity?: number;
  /** Entries per block of migration; 2 by default. */
  readonly tax?: number;
  /**
   * Tables of this capacity, too, are made anew at the same size if mostly tombstones fill them.
   * They must have an entry for every key of the scenario.
   */
  readonly sameSizeFrom?: number;
  /** How many entries a handle reserves at once; 1 by default, as in all small tables. */
  readonly batch?: number;
  /**
   * Values are 2^63 larger, so that they lie in cells, and the forms for words of 64 bits are
   * called.
   */
  readonly wide?: boolean;
  readonly maxSteps?: number;
  /**
   * Explores every mark of a quiet table as a separate step, to verify that this makes no
   * difference (`markQuiet`).
   */
  readonly marksOneByOne?: boolean;
  /** See `ExploreOptions`. */
  readonly tellsHistoriesApart?: boolean;
  readonly everyStep?: boolean;
  /** A mistake in the code, to test that it is found. */
  readonly mistake?: Mistake;
  /** A further check of every step, such as a refinement of a model. */
  readonly checkStep?: (event: StepEvent, words: Int32Array) => string | undefined;
  /** A further check of every complete run. */
  readonly checkExecution?: (execution: Execution<TableState, TableResult>) => string | undefined;
}

const MEMORY_BYTES = 4096;
/** Where the pool and, as its first block, the descriptor lie in the memory of a scenario. */
export const SCENARIO_POOL = 64;
export const SCENARIO_DESCRIPTOR: number = SCENARIO_POOL + POOL_BYTES;

export function exploreTable(scenario: TableScenario): InterleavingReport {
  const { mistake, marksOneByOne = false, tellsHistoriesApart = false } = scenario;
  const { sameSizeFrom = SMALLEST_SAME_SIZE, batch = 1, everyStep = false } = scenario;
  const changes = `fn batchOf(capacity): i32 { return ${batch}; }${mistake ? mistakes[mistake] : ''}`;
  const program = tableProgram(changes, { SMALLEST_SAME_SIZE: sameSizeFrom });
  const fieldNames = program.fields.map(({ name }) => name);
  const held = [fieldNames.indexOf('table'), fieldNames.indexOf('old')];
  const scene = new Scene(scenario, new Interpreter(program), fieldNames.indexOf('found'));
  const memory = scene.prepare();
  const initial = scene.fill(memory);
  return exploreInterleavings({
    start: fields => scene.process(fields),
    unobservable,
    initial: memory.words,
    threads: scenario.threads.map(operations => ({
      fields: scene.open(memory).fields,
      calls: operations.map(operation => scene.callOf(operation)),
    })),
    model: { ...tableModel, initial },
    isFinal: marksOneByOne ? isFinalInAnyTable : isFinal,
    ...(!marksOneByOne && { normalise: markQuiet }),
    tellsHistoriesApart,
    checkStep: (event, words, fields) =>
      touchesFree(event, words) ??
      releasesHeld(event, fields, held) ??
      usesQuiet(event, fields, held[0]!) ??
      becomesAbsent(event) ??
      changesCell(event, words) ??
      scenario.checkStep?.(event, words),
    checkExecution: execution => scene.checkExecution(execution),
    concerns: concernsBlock,
    everyStep,
    ...(scenario.maxSteps !== undefined && { maxSteps: scenario.maxSteps }),
  });
}

/** The table of a scenario, and what a thread can do to it alone. */
class Scene {
  readonly #keys: readonly number[];
  #descriptor = 0;

  /** `found` is the number of the field in which the code leaves the value that it found. */
  constructor(
    private readonly scenario: TableScenario,
    private readonly interpreter: Interpreter,
    private readonly found: number,
  ) {
    this.#keys = [...keysOf(scenario)];
  }

  /** The memory with an empty table. */
  prepare(): SimulatedMemory {
    const { capacity = 4, tax = 2 } = this.scenario;
    const words = new Int32Array(MEMORY_BYTES >> 2);
    Pool.format(words, SCENARIO_POOL, MEMORY_BYTES);
    const prepared = new InterpretedMemory(words, this.interpreter);
    this.#descriptor = createHashTable(prepared, new Pool(prepared, SCENARIO_POOL), { capacity, tax });
    return new SimulatedMemory(prepared.words);
  }

  /** Performs what comes before the threads, and returns the entries. */
  fill(memory: SimulatedMemory): TableState {
    const first = this.open(memory);
    let entries: TableState = new Map();
    for (const operation of this.scenario.before ?? []) {
      this.#perform(first, memory, operation);
      entries = tableModel.apply(entries, operation).state;
    }
    runAlone(first, memory, 'close', []);
    return entries;
  }

  process(fields?: Process['fields']): Process {
    return new Process(this.interpreter, fields);
  }

  open(on: SimulatedMemory): Process {
    const process = this.process();
    runAlone(process, on, 'open', [SCENARIO_POOL, this.#descriptor]);
    return process;
  }

  callOf(operation: TableOperation): ThreadCall<TableOperation, TableResult> {
    return this.scenario.wide === true && 'key' in operation
      ? wideCallFor(operation, this.found)
      : callFor(operation, this.#descriptor);
  }

  /**
   * A `find` of every key must agree with what explains the calls; then all handles are closed, and
   * nothing may be left over.
   */
  checkExecution(execution: Execution<TableState, TableResult>): string | undefined {
    const { scenario } = this;
    const after = new SimulatedMemory(execution.words);
    const last = this.open(after);
    const keys = this.#keys;
    const found = keys.map(key => this.#perform(last, after, { kind: 'find', key }));
    const agrees = (state: TableState): boolean =>
      keys.every((key, i) => found[i] === (state.get(key) ?? -1));
    if (!execution.states.some(agrees)) {
      const finds = keys.map((key, i) => `end: find(${key}) = ${found[i]}`).join(', ');
      return `not linearisable: ${describeResults(scenario, execution.results)}, ${finds}`;
    }
    runAlone(last, after, 'close', []);
    for (const fields of execution.fields) runAlone(this.process(fields), after, 'close', []);
    return leftover(after.words, this.#descriptor) ?? scenario.checkExecution?.(execution);
  }

  #perform(process: Process, on: SimulatedMemory, operation: TableOperation): TableResult {
    const { name, operands, resultOf } = this.callOf(operation);
    return resultOf(runAlone(process, on, name, operands), process.fields);
  }
}

/** Steps of the table and the pool that no other thread can notice. */
export const unobservable: ReadonlySet<StepName> = new Set([
  ...(['table.write', 'table.clear', 'table.read', 'pool.mark', 'line.own', 'key.guess'] as const),
]);

/** A quiet table stays quiet, and gets nothing more once it has all marks. */
function isFinal(step: string, low: number, high: number): boolean {
  if (step === 'quiet.read') return true;
  if (step === 'references.read') return isQuiet(joined(low, high));
  return isFinalInAnyTable(step, low, high);
}

/**
 * Key words change once, frozen values never, and no value becomes ABSENT, from which copies are
 * made; blocks are settled forever, cells are written before they are referred to.
 */
function isFinalInAnyTable(step: string, low: number, high: number): boolean {
  switch (step) {
    case 'key.read':
    case 'key.claim':
    case 'key.close':
      return low !== 0 || high !== 0;
    case 'value.read':
    case 'value.write':
    case 'value.remove':
    case 'value.freeze':
      return (high & FROZEN) !== 0;
    case 'value.copy':
      return low !== 0 || high !== 0;
    case 'tax.check':
    case 'tax.done':
      return low === 1;
    case 'wide.read':
      return true;
    default:
      // Steps are named by text; other words may change until their block is settled.
      return false;
  }
}

/** The table that a step has made quiet, or that was; 0 if it is about another thing. */
function quietAfter({ step, at, after }: StepEvent): number {
  return step.startsWith('references.') && isQuiet(joined(...after)) ? at - Table.references : 0;
}

/**
 * A table that has become quiet gets all marks of a settled one. In the code it gets some of them
 * or none: a thread that copies from a quiet table ignores them, and one that has not noticed that
 * it is quiet sets them or finds them set, and then continues in the same way. That no other thread
 * uses the table is checked (`usesQuiet`); that all histories and all ends are the same, by a test
 * that explores small programs in both ways.
 */
function markQuiet(event: StepEvent, words: Int32Array): readonly Step[] {
  const table = quietAfter(event);
  if (table === 0) return [];
  const block = words[(SCENARIO_DESCRIPTOR + Descriptor.block) >> 2]!;
  const { capacity, entries } = layOut(words[(table + Table.capacity) >> 2]!, block);
  const marks: Step[] = [];
  for (let i = 0; i < capacity + SPECIAL_ENTRIES; i++) {
    const entry = table + entries + i * ENTRY_BYTES;
    const [keyLow, keyHigh, valueLow, valueHigh] = words.subarray(entry >> 2);
    const key = joined(keyLow!, keyHigh!);
    const isSpecial = i >= capacity;
    if (!isSpecial && key === 0n)
      marks.push({ step: 'key.close', operation: 'store64', operands: [entry, joined(CLOSED, CLOSED)] });
    if (isSpecial || (key !== 0n && key !== joined(CLOSED, CLOSED))) {
      const operands = [entry + VALUE, joined(valueLow!, valueHigh! | FROZEN)];
      marks.push({ step: 'value.freeze', operation: 'store64', operands });
    }
  }
  return marks;
}

/** A table that has become quiet while it is the current one of a handle. */
function usesQuiet(
  event: StepEvent,
  fields: readonly (readonly StepValue[])[],
  tableField: number,
): string | undefined {
  const table = quietAfter(event);
  const user = table === 0 ? -1 : fields.findIndex(own => own[tableField] === table);
  return user < 0 ? undefined : `a table is quiet that thread ${user} may write to`;
}

function isTrue(answer: StepValue | undefined): boolean {
  return answer === 1;
}

function addOutcome(answer: StepValue | undefined): TableResult {
  return addOutcomes[Number(answer)]!;
}

function callFor(operation: TableOperation, descriptor: number): ThreadCall<TableOperation, TableResult> {
  switch (operation.kind) {
    case 'add': {
      const operands = [operation.key, operation.value];
      return { operation, name: 'addNumber', operands, resultOf: addOutcome };
    }
    case 'remove':
      return { operation, name: 'removeNumber', operands: [operation.key], resultOf: isTrue };
    case 'find':
      return { operation, name: 'findNumber', operands: [operation.key], resultOf: Number };
    case 'delete':
      return { operation, name: 'delete', operands: [], resultOf: () => true };
    case 'reopen':
      return { operation, name: 'reopen', operands: [SCENARIO_POOL, descriptor], resultOf: () => true };
  }
}

/** The same with words of 64 bits. The value that `find` finds is in a field of the handle. */
function wideCallFor(
  operation: Extract<TableOperation, { key: number }>,
  foundField: number,
): ThreadCall<TableOperation, TableResult> {
  const key = BigInt(operation.key);
  switch (operation.kind) {
    case 'add': {
      const value = BigInt.asIntN(64, 2n ** 63n + BigInt(operation.value));
      return { operation, name: 'add', operands: [key, value], resultOf: addOutcome };
    }
    case 'remove':
      return { operation, name: 'remove', operands: [key], resultOf: isTrue };
    case 'find': {
      const valueIn = (fields: readonly StepValue[]): number =>
        Number(BigInt.asUintN(63, fields[foundField] as bigint));
      const resultOf = (answer: StepValue | undefined, fields: readonly StepValue[]): number =>
        isTrue(answer) ? valueIn(fields) : -1;
      return { operation, name: 'find', operands: [key], resultOf };
    }
  }
}

/** A table is a map, until it is deleted. */
const DELETED: TableState = new Map();

const tableModel: Omit<SequentialModel<TableState, TableOperation, TableResult>, 'initial'> = {
  apply(state, operation) {
    switch (operation.kind) {
      case 'add': {
        if (state === DELETED) return { state, result: 'deleted' };
        const result = state.has(operation.key) ? 'replaced' : 'inserted';
        return { state: new Map(state).set(operation.key, operation.value), result };
      }
      case 'remove': {
        if (!state.has(operation.key)) return { state, result: false };
        const rest = new Map(state);
        rest.delete(operation.key);
        return { state: rest, result: true };
      }
      case 'find':
        return { state, result: state.get(operation.key) ?? -1 };
      case 'delete':
        return { state: DELETED, result: true };
      case 'reopen':
        return { state, result: true };
    }
  },
  describe({ kind, ...operands }) {
    return `${kind}(${Object.values(operands).join()})`;
  },
  keyOf(state) {
    return state === DELETED ? 'deleted' : JSON.stringify([...state].sort(([a], [b]) => a - b));
  },
};

function keysOf({ threads, before = [] }: TableScenario): Set<number> {
  return new Set(
    [...before, ...threads.flat()].flatMap(operation => ('key' in operation ? [operation.key] : [])),
  );
}

/**
 * The block that a step is about as a whole: it is released or handed out, becomes quiet, or one of
 * its cells is written. What is checked then is what others do with the block, so the order
 * matters.
 */
function concernsBlock(event: StepEvent, words: Int32Array): ByteRange | undefined {
  const { step, before, after } = event;
  if (before.join() === after.join()) return undefined;
  const becomesQuiet = quietAfter(event) !== 0 && !isQuiet(joined(...before));
  if (step !== 'pool.mark' && step !== 'wide.write' && !becomesQuiet) return undefined;
  return blockAt(event.at, words);
}

function blockAt(at: number, words: Int32Array): PoolBlock | undefined {
  for (const block of blocksIn(words, SCENARIO_POOL))
    if (at >= block.at && at < block.at + block.byteCount) return block;
  return undefined;
}

/** A step on a block that was released, other than the pool's own. */
function touchesFree(event: StepEvent, words: Int32Array): string | undefined {
  if (event.step.startsWith('pool.')) return undefined;
  return blockAt(event.at, words)?.used === false
    ? `thread ${event.thread}, ${event.step}: touches a table that was released`
    : undefined;
}

/** A block that is released while a handle holds it. */
function releasesHeld(
  { step, at, before, after, thread }: StepEvent,
  fields: readonly (readonly StepValue[])[],
  held: readonly number[],
): string | undefined {
  if (step !== 'pool.mark' || (before[0] & 1) === 0 || (after[0] & 1) === 1) return undefined;
  const holder = fields.findIndex((own, other) => other !== thread && held.some(field => own[field] === at));
  return holder < 0 ? undefined : `thread ${thread} released a table that thread ${holder} holds`;
}

/** What `isFinal` promises about copies. */
function becomesAbsent({ step, before, after }: StepEvent): string | undefined {
  const isAbsent = (word: readonly [number, number]): boolean => word[0] === 0 && word[1] === 0;
  return step.startsWith('value.') && isAbsent(after) && !isAbsent(before)
    ? `${step} makes a value absent`
    : undefined;
}

/**
 * What `isFinal` promises about cells: one that a value word refers to is written with the same
 * value only.
 */
function changesCell({ step, at, before, after }: StepEvent, words: Int32Array): string | undefined {
  if (step !== 'wide.write' || before.join() === after.join()) return undefined;
  const block = words[(SCENARIO_DESCRIPTOR + Descriptor.block) >> 2]!;
  const { at: table } = blockAt(at, words)!;
  const { capacity, entries, cells } = layOut(words[(table + Table.capacity) >> 2]!, block);
  const cell = (at - table - cells) / 8;
  for (let i = 0; i < capacity + SPECIAL_ENTRIES; i++) {
    const value = (table + entries + i * ENTRY_BYTES + VALUE) >> 2;
    if ((words[value + 1]! & WIDE) !== 0 && words[value] === cell) return 'a cell in use changes';
  }
  return undefined;
}

/**
 * The used memory of the pool, once all handles are closed, that is not reachable from the head.
 */
function leftover(words: Int32Array, descriptor: number): string | undefined {
  const head = words[(descriptor + Descriptor.head) >> 2]!;
  const current = tableIn(head);
  const previous = current === 0 ? 0 : words[(current + Table.previous) >> 2]!;
  if (stateIn(head) !== State.EXPANDING && previous !== 0) return 'an assimilated table is still linked';
  const wanted = [descriptor, current, previous].filter(at => at !== 0).sort((a, b) => a - b);
  const used = [...blocksIn(words, SCENARIO_POOL)].filter(block => block.used).map(block => block.at);
  if (used.join() === wanted.join()) return undefined;
  return `blocks in use at the end: ${used.join()}; reachable: ${wanted.join()}`;
}

function describeResults({ threads }: TableScenario, results: readonly (readonly TableResult[])[]): string {
  return results
    .flatMap((own, thread) =>
      own.map((result, call) => `${thread}: ${tableModel.describe(threads[thread]![call]!)} = ${result}`),
    )
    .join(', ');
}
