/**
 * Small programs on a table, run in all interleavings: what the tests and `redzone prove hashtable` explore.
 *
 * Each run is checked in four ways. The history of calls, and a `find` of every key at the end, must be linearisable to a
 * map. No step but the pool's may touch a block that was released. An assertion of the table's own that fails is a finding. When at last all
 * handles are closed, exactly the tables that the head leads to are left.
 */
import { Descriptor, State, stateIn, Table, tableIn } from '../layout.js';
import type { Memory } from '../memory.js';
import { POOL_BYTES, Pool } from '../pool.js';
import { createHashTable } from '../table.js';
import { TableHandle } from '../table-handle.js';
import { type Execution, type Exploration, exploreInterleavings } from './explore.js';
import { ImageMemory } from './image-memory.js';
import { type HistoryCall, linearize, type SequentialModel } from './linearizability.js';
import { SimulatedThread, type StepEvent, type ThreadBody } from './simulated-thread.js';

export type TableOperation =
  | { readonly kind: 'add'; readonly key: number; readonly value: number }
  | { readonly kind: 'remove' | 'find'; readonly key: number }
  /** Closes the thread's handle and opens another. */
  | { readonly kind: 'reopen' }
  | { readonly kind: 'delete' };

/** Of `add`: inserted and so on. Of `remove`: whether the key was there. Of `find`: the value, or -1. */
export type TableResult = string | boolean | number;

export interface TableScenario {
  /** The operations of each thread. */
  readonly threads: readonly (readonly TableOperation[])[];
  /** What one thread does before, without being interleaved. */
  readonly before?: readonly TableOperation[];
  /** The first capacity; 4 unless told. */
  readonly capacity?: number;
  /** Entries per block of migration; 2 unless told. */
  readonly tax?: number;
  readonly maxSteps?: number;
  /** Another implementation of the handle, to see whether its mistake is found. */
  readonly handle?: typeof TableHandle;
  /** A further check of every step, such as a refinement of a model. */
  readonly checkStep?: (event: StepEvent, words: Int32Array) => string | undefined;
  /** A further check of every complete run. */
  readonly checkExecution?: (execution: Execution<TableOperation, TableResult>) => string | undefined;
}

const MEMORY_BYTES = 4096;
/** Where the pool and, as its first block, the descriptor lie in the memory of a scenario. */
const POOL = 64;
export const SCENARIO_DESCRIPTOR: number = POOL + POOL_BYTES;

export function exploreTable(scenario: TableScenario): Exploration {
  const { capacity = 4, tax = 2, handle: Handle = TableHandle } = scenario;
  const image = new ImageMemory(MEMORY_BYTES);
  const pool = Pool.format(image, POOL, MEMORY_BYTES);
  const descriptor = createHashTable(image, pool, { capacity, tax });
  const first = new Handle(image, pool, descriptor);
  const initial = (scenario.before ?? []).reduce(
    (state, operation) => {
      perform(first, operation);
      return tableModel.apply(state, operation).state;
    },
    new Map<number, number>() as ReadonlyMap<number, number>,
  );
  first.close();

  const model = { ...tableModel, initial };
  const keys = keysOf(scenario);
  const seen = new Set<string>();

  const SectionedHandle = inSections(Handle);

  function open(memory: Memory): TableHandle {
    const Opened = memory instanceof SimulatedThread ? SectionedHandle : Handle;
    return new Opened(memory, new Pool(memory, POOL), descriptor);
  }

  const threads = scenario.threads.map(
    (operations): ThreadBody<TableOperation, TableResult> =>
      (memory, call) => {
        let handle = open(memory);
        for (const operation of operations) {
          call(operation, () => {
            if (operation.kind !== 'reopen') return perform(handle, operation);
            handle.close();
            handle = open(memory);
            return true;
          });
        }
        return () => handle.close();
      },
  );

  function checkExecution(execution: Execution<TableOperation, TableResult>): string | undefined {
    const { history, words } = execution;
    const end = execution.trace.length;
    const after = new ImageMemory(MEMORY_BYTES);
    after.words.set(words);
    const last = open(after);
    const complete = [...history];
    for (const key of keys) {
      const operation = { kind: 'find', key } as const;
      complete.push({ thread: -1, operation, result: perform(last, operation), from: end, to: end });
    }
    last.close();
    const shape = JSON.stringify(ordered(complete));
    if (!seen.has(shape)) {
      if (!linearize(complete, model)) return `not linearisable: ${describeHistory(complete)}`;
      seen.add(shape);
    }
    return leftover(after, descriptor) ?? scenario.checkExecution?.(execution);
  }

  return exploreInterleavings({
    initial: image.words,
    threads,
    checkStep: (event, words) => touchesFree(event, words) ?? scenario.checkStep?.(event, words),
    checkExecution,
    ...(scenario.maxSteps !== undefined && { maxSteps: scenario.maxSteps }),
  });
}

/** The handle with every method as a section of the thread: all that lasts is in the handle's fields. */
function inSections(Handle: typeof TableHandle): typeof TableHandle {
  class SectionedHandle extends Handle {}
  const { prototype } = SectionedHandle;
  for (let from: object = Handle.prototype; from !== Object.prototype; from = Object.getPrototypeOf(from)) {
    for (const name of Object.getOwnPropertyNames(from)) {
      if (Object.hasOwn(prototype, name)) continue;
      const method = Reflect.get(from, name) as (...operands: unknown[]) => unknown;
      Object.defineProperty(prototype, name, {
        value(this: { memory: SimulatedThread<unknown, unknown> }, ...operands: unknown[]): unknown {
          return this.memory.section(this, () => method.apply(this, operands));
        },
      });
    }
  }
  return SectionedHandle;
}

function perform(handle: TableHandle, operation: TableOperation): TableResult {
  switch (operation.kind) {
    case 'add':
      return handle.addNumber(operation.key, operation.value);
    case 'remove':
      return handle.removeNumber(operation.key);
    case 'find':
      return handle.findNumber(operation.key);
    case 'delete':
      handle.delete();
      return true;
    case 'reopen':
      return true;
  }
}

/** A table is a map, until it is deleted. */
const DELETED: ReadonlyMap<number, number> = new Map();

const tableModel: Omit<
  SequentialModel<ReadonlyMap<number, number>, TableOperation, TableResult>,
  'initial'
> = {
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
  keyOf(state) {
    return state === DELETED ? 'deleted' : JSON.stringify([...state].sort(([a], [b]) => a - b));
  },
};

function keysOf({ threads, before = [] }: TableScenario): Set<number> {
  return new Set(
    [...before, ...threads.flat()].flatMap(operation => ('key' in operation ? [operation.key] : [])),
  );
}

/** The history with times replaced by what matters: which calls precede which. */
function ordered(history: readonly HistoryCall<TableOperation, TableResult>[]): unknown[] {
  return history.map(({ result, from }) => [result, history.map(other => Number(other.to < from)).join('')]);
}

/** A step on a block that was released, other than the pool's own. */
function touchesFree(event: StepEvent, words: Int32Array): string | undefined {
  if (event.step.startsWith('pool.')) return undefined;
  const memory = new ImageMemory(0);
  for (const block of new Pool(Object.assign(memory, { words }), POOL).blocks()) {
    if (event.at < block.at || event.at >= block.at + block.byteCount) continue;
    return block.used
      ? undefined
      : `thread ${event.thread}, ${event.step}: touches a table that was released`;
  }
  return undefined;
}

/** What is used in the pool, once all handles are closed, beyond what the head leads to. */
function leftover(memory: ImageMemory, descriptor: number): string | undefined {
  const head = memory.load32('head.read', descriptor + Descriptor.head);
  const current = tableIn(head);
  const previous = current === 0 ? 0 : memory.load32('previous.look', current + Table.previous);
  if (stateIn(head) !== State.EXPANDING && previous !== 0) return 'an assimilated table is still linked';
  const wanted = [descriptor, current, previous].filter(at => at !== 0).sort((a, b) => a - b);
  const used = [...new Pool(memory, POOL).blocks()].filter(block => block.used).map(block => block.at);
  if (used.join() === wanted.join()) return undefined;
  return `blocks in use at the end: ${used.join()}; reachable: ${wanted.join()}`;
}

function describeHistory(history: readonly HistoryCall<TableOperation, TableResult>[]): string {
  return history
    .map(({ thread, operation, result, from, to }) => {
      const { kind, ...operands } = operation;
      return `${thread < 0 ? 'end' : thread}: ${kind}(${Object.values(operands).join()}) = ${result} [${from}-${to}]`;
    })
    .join(', ');
}
