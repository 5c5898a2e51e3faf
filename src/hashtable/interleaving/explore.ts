/**
 * Runs simulated threads in all interleavings that can make a difference.
 *
 * The search goes through *states*: the memory, what each thread knows, and what the past allows the results of calls to be
 * (`linearizability.ts`). A state that was reached before is not searched again. Four reductions keep steps from being tried in orders that do not matter:
 *
 * - Sleep sets (Godefroid). Steps are *independent* if they are of different threads, neither writes what the other
 *   touches, and they do not end and begin a call. After a thread's step was tried in a state, the thread sleeps in the states behind its
 *   siblings, until a step is taken that depends on its own. A state remembers who slept when it was searched; if it is reached
 *   again with fewer asleep, only those are tried that slept then and do not now.
 * - Steps on memory that no other thread can reach, and loads whose answer makes no difference, are taken together with the step before them (`unobservable`).
 * - So are steps that would answer the same and change nothing at any later time, as the program promises (`isFinal`): loads of words that will never change
 *   again, compare-and-swaps that will always be refused. They commute with everything. The promise is checked with every write.
 * - A load and the compare-and-swap that follows it, with what was loaded, are taken together, if the thread would be back before the load after a refusal
 *   (`wouldRetry`). Apart, they are either refused, as if they had not been taken, or they succeed, and then the load might as well have been later.
 *
 * A call begins with its first step and ends with its last. A real call begins earlier and ends later, which
 * only allows more.
 *
 * Why not DPOR without states, which needs no keys: it was written first, and threads that help each other defeat it. Two that
 * migrate the same entries differ in who was first at each, and meet again in the same states (`docs/decisions/0040`).
 *
 * **Invariants.** The memory is the initial one plus the steps of `trace`. A thread's next step follows from the state.
 */
import type { Interpreter, PendingStep, Value } from '../language/interpret.js';
import type { StepName } from '../memory.js';
import { Histories } from './histories.js';
import { LinearizabilityMonitor, type SequentialModel } from './linearizability.js';
import { mixed, SimulatedMemory } from './simulated-memory.js';
import { SimulatedThread, type StepEvent, type ThreadProgram } from './simulated-thread.js';
import { StateStore } from './state-store.js';

/** One complete run of all threads. */
export interface Execution<State, Result> {
  readonly trace: readonly StepEvent[];
  /** What the calls of each thread have answered. */
  readonly results: readonly (readonly Result[])[];
  /** The fields of each thread's handle. */
  readonly fields: readonly (readonly Value[])[];
  /** The states of the model that explain the results. */
  readonly states: readonly State[];
  /** The history in words, if histories are told apart. */
  readonly history: string | undefined;
  /** The memory at the end. Do not write to it. */
  readonly words: Int32Array;
}

export interface ExploreOptions<State, Operation, Result> {
  readonly interpreter: Interpreter;
  /** The memory that the threads find. */
  readonly initial: Int32Array;
  readonly threads: readonly ThreadProgram<Operation, Result>[];
  /** What results may be; nothing is said about them without it. */
  readonly model?: SequentialModel<State, Operation, Result>;
  /** Whether a step on a word with this value changes nothing and would be answered the same at any later time. */
  readonly isFinal?: (step: StepName, low: number, high: number) => boolean;
  /**
   * Steps that nobody takes, after one that somebody took, to a state in which all threads would do the same: so that states which differ in what
   * makes no difference any more are one.
   */
  readonly normalise?: (event: StepEvent, words: Int32Array) => readonly PendingStep[];
  /**
   * Says what is wrong with a step, if anything is; called after each, with the fields of each thread's handle. What it says must follow from
   * the step, the memory and the fields alone, because a state is not reached in all ways.
   */
  readonly checkStep?: (
    event: StepEvent,
    words: Int32Array,
    fields: readonly (readonly Value[])[],
  ) => string | undefined;
  /** Says what is wrong with a complete run, if anything is; called for each final state. */
  readonly checkExecution?: (execution: Execution<State, Result>) => string | undefined;
  /** Whether states with different pasts are different: then every history is seen by `checkExecution`, and there are more states. */
  readonly tellsHistoriesApart?: boolean;
  /** Stop after so many steps. */
  readonly maxSteps?: number;
}

export interface Violation {
  readonly message: string;
  /** The steps that lead there. */
  readonly trace: readonly StepEvent[];
}

export interface Exploration {
  /** Every state was searched and nothing was wrong; or something was; or `maxSteps` were taken. */
  readonly outcome: 'exhausted' | 'violation' | 'stopped';
  readonly violation?: Violation;
  readonly states: number;
  /** States in which all threads are through. */
  readonly finalStates: number;
  /** Steps taken in all, and in the longest run. */
  readonly steps: number;
  readonly longest: number;
}

/** A thread's step, with those that were taken together with it. */
type Move = readonly StepEvent[];

const unobservable: ReadonlySet<StepName> = new Set([
  ...(['table.write', 'table.clear', 'table.read', 'pool.mark', 'line.fetch', 'key.guess'] as const),
]);

class Stop extends Error {}

export function exploreInterleavings<State, Operation, Result>(
  options: ExploreOptions<State, Operation, Result>,
): Exploration {
  const { model, isFinal, normalise, checkStep, checkExecution } = options;
  const memory = new SimulatedMemory(options.initial);
  const monitor = model && new LinearizabilityMonitor(model, options.threads.length);
  const threads = SimulatedThread.startAll(options.interpreter, options.threads);
  const trace: StepEvent[] = [];
  const searched = new StateStore();
  const histories = options.tellsHistoriesApart ? new Histories(options.threads.length) : undefined;
  let explained = monitor?.initial ?? 0;
  let history = 0;
  let violation: Violation | undefined;
  let finalStates = 0;
  let steps = 0;
  let longest = 0;

  function fail(message: string): never {
    violation = { message, trace: [...trace] };
    throw new Stop();
  }

  function attempt<T>(number: number, run: () => T): T {
    try {
      return run();
    } catch (error) {
      return fail(`thread ${number} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Takes the pending step of a thread. */
  function takeStep(number: number): void {
    const thread = threads[number]!;
    const { event, next } = attempt(number, () => thread.step(memory));
    steps++;
    trace.push(event);
    threads[number] = next;
    if (event.first && monitor)
      explained = monitor.begin(explained, number, thread.call!.operation, `${event.call}`);
    if (event.first && histories) history = histories.begin(history, number);
    if (event.last && histories) history = histories.end(history, number, String(next.results.at(-1)));
    if (event.last && monitor) {
      const set = monitor.end(explained, number, next.results.at(-1)!);
      if (set === undefined) fail(`not linearisable: ${describeCalls()}`);
      else explained = set;
    }
    if (event.wroteByteCount > 0 && isFinal?.(event.step, event.before[0], event.before[1]))
      if (event.before.join() !== event.after.join()) fail(`${event.step} changes what is final`);
    const message = checkStep?.(
      event,
      memory.words,
      threads.map(({ fields }) => fields),
    );
    if (message !== undefined) fail(message);
    for (const replacement of normalise?.(event, memory.words) ?? []) {
      const effect = memory.perform(replacement);
      trace.push({ ...event, ...effect, step: replacement.step, first: false, last: false });
    }
    if (steps === options.maxSteps) throw new Stop();
  }

  /** Whether the next step of a thread can be taken together with the one before. */
  function goesWithTheLast(thread: SimulatedThread<Operation, Result>): boolean {
    const { pending, isAtBegin } = thread;
    if (pending === undefined || isAtBegin) return false;
    if (unobservable.has(pending.step)) return true;
    if (isFinal === undefined || pending.operation === 'zero') return false;
    const at = (pending.operands[0] as number) >> 2;
    if (!isFinal(pending.step, memory.words[at]!, memory.words[at + 1]!)) return false;
    // It changes nothing, so it can be tried: with the end of a call it would be seen by others.
    const { event } = thread.step(memory);
    if (event.before.join() !== event.after.join()) fail(`${event.step} changes what is final`);
    return !event.last;
  }

  /** Whether a thread, having loaded a word, would now replace it, and load it again if that were refused. */
  function wouldRetry(before: SimulatedThread<Operation, Result>, { kind, at, answer }: StepEvent): boolean {
    const thread = threads[before.number]!;
    const { pending } = thread;
    return (
      kind === 'load' &&
      pending?.operation.startsWith('cas') === true &&
      pending.operands[0] === at &&
      pending.operands[1] === answer &&
      thread.after(0).knowledge === before.knowledge
    );
  }

  /** Takes a step of a thread and what goes with it. */
  function move(number: number): Move {
    const from = trace.length;
    let before: SimulatedThread<Operation, Result>;
    do {
      before = threads[number]!;
      takeStep(number);
    } while (goesWithTheLast(threads[number]!) || wouldRetry(before, trace.at(-1)!));
    return trace.slice(from);
  }

  function finish(): void {
    finalStates++;
    longest = Math.max(longest, trace.length);
    const message = checkExecution?.({
      trace,
      results: threads.map(({ results }) => results),
      fields: threads.map(({ fields }) => fields),
      states: monitor?.statesOf(explained) ?? [],
      history: histories?.describe(history),
      words: memory.words,
    });
    if (message !== undefined) fail(message);
  }

  function search(sleep: ReadonlyMap<number, Move>): void {
    const asleep = [...sleep.keys()].reduce((bits, number) => bits | (1 << number), 0);
    let low = mixed(mixed(memory.hashLow, explained), history);
    let high = mixed(mixed(memory.hashHigh, ~explained), ~history);
    for (const { knowledge } of threads) {
      low = mixed(low, knowledge);
      high = mixed(high, ~knowledge);
    }
    const everybody = (1 << threads.length) - 1;
    const sleptBefore = searched.get(low, high) ?? everybody;
    if (sleptBefore !== everybody && (sleptBefore & ~asleep) === 0) return;
    const toTry = sleptBefore & ~asleep;
    searched.set(low, high, sleptBefore & asleep);
    if (threads.every(({ pending }) => pending === undefined)) {
      finish();
      return;
    }
    const depth = trace.length;
    const tired = new Map(sleep);
    for (const [number, thread] of threads.entries()) {
      if (thread.pending === undefined || !(toTry & (1 << number))) continue;
      const past = { explained, history };
      const taken = move(number);
      search(new Map([...tired].filter(([, sleeping]) => !dependent(sleeping, taken))));
      while (trace.length > depth) memory.undo(trace.pop()!);
      threads[number] = thread;
      ({ explained, history } = past);
      tired.set(number, taken);
    }
  }

  function describeCalls(): string {
    return threads
      .flatMap(({ results }, thread) =>
        results.map((result, call) => {
          const own = (event: StepEvent): boolean => event.thread === thread && event.call === call;
          const { operation } = options.threads[thread]!.calls[call]!;
          const [from, to] = [trace.findIndex(own), trace.findLastIndex(own)];
          return `${thread}: ${model!.describe(operation)} = ${result} [${from}-${to}]`;
        }),
      )
      .join(', ');
  }

  let outcome: Exploration['outcome'] = 'exhausted';
  try {
    search(new Map());
  } catch (thrown) {
    if (!(thrown instanceof Stop)) throw thrown;
    outcome = violation ? 'violation' : 'stopped';
  }
  return { outcome, ...(violation && { violation }), states: searched.count, finalStates, steps, longest };
}

/** Whether the order of two moves of different threads can matter. */
function dependent(a: Move, b: Move): boolean {
  return a.some(x =>
    b.some(y => (x.last && y.first) || (x.first && y.last) || writesInto(x, y) || writesInto(y, x)),
  );
}

function writesInto(a: StepEvent, b: StepEvent): boolean {
  return a.wroteByteCount > 0 && a.wroteAt < b.at + b.byteCount && b.at < a.wroteAt + a.wroteByteCount;
}
