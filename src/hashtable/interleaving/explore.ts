/**
 * Runs simulated threads in all interleavings that can make a difference.
 *
 * The search goes through *states*: the memory, what each thread knows, and which calls ended before which began. A state that
 * was reached before is not searched again. Two reductions keep steps from being tried in orders that do not matter:
 *
 * - Sleep sets (Godefroid). Steps are *independent* if they are of different threads, neither writes what the other
 *   touches, and they do not end and begin a call. After a thread's step was tried in a state, the thread sleeps in the states behind its
 *   siblings, until a step is taken that depends on its own. A state remembers who slept when it was searched; if it is reached
 *   again with fewer asleep, only those are tried that slept then and do not now.
 * - Steps on memory that no other thread can reach, and reads of what never changes, are taken together with the step before
 *   them (`unobservable`).
 *
 * A call begins with its first step and ends with its last. A real call begins earlier and ends later, which
 * only allows more.
 *
 * Why not DPOR without states, which needs no keys: it was written first, and threads that help each other defeat it. Two that
 * migrate the same entries differ in who was first at each, and meet again in the same states (`docs/decisions/0040`).
 *
 * **Invariants.** The image is the initial one plus the steps of `trace`. A thread's next step follows from the state.
 */
import { ImageMemory } from './image-memory.js';
import type { HistoryCall } from './linearizability.js';
import { Interner, SimulatedThread, type StepEvent, type ThreadBody } from './simulated-thread.js';

/** One complete run of all threads. */
export interface Execution<Operation, Result> {
  readonly trace: readonly StepEvent[];
  readonly history: readonly HistoryCall<Operation, Result>[];
  /** The memory at the end. It is reused: do not keep it, do not write to it. */
  readonly words: Int32Array;
}

export interface ExploreOptions<Operation, Result> {
  /** The memory that the threads find. */
  readonly initial: Int32Array;
  readonly threads: readonly ThreadBody<Operation, Result>[];
  /**
   * Says what is wrong with a step, if anything is; called after each. What it says must follow from the step and the
   * memory alone, because a state is not reached in all ways.
   */
  readonly checkStep?: (event: StepEvent, words: Int32Array) => string | undefined;
  /** Says what is wrong with a complete run, if anything is; called for each final state. */
  readonly checkExecution: (execution: Execution<Operation, Result>) => string | undefined;
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

/** A thread's step, with the unobservable ones after it. */
type Move = readonly StepEvent[];

const unobservable: ReadonlySet<string> = new Set([
  ...['table.write', 'table.clear', 'table.read', 'pool.mark'],
]);

class Stop extends Error {}

export function exploreInterleavings<Operation, Result>(
  options: ExploreOptions<Operation, Result>,
): Exploration {
  const image = new ImageMemory(options.initial.byteLength);
  image.words.set(options.initial);
  const interner = new Interner();
  const threads = options.threads.map((body, n) => new SimulatedThread(n, image, interner, body));
  const trace: StepEvent[] = [];
  const snapshots: Int32Array[] = [];
  /** For each state, who slept when it was searched, as bits. */
  const searched = new Map<string, number>();
  /** For each call that began, in the order of threads: how many calls of each thread had ended. */
  const begun: string[][] = threads.map(() => []);
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

  function takeStep(thread: SimulatedThread<Operation, Result>, number: number): () => void {
    const ended = threads.map(({ calls }) => calls.length).join();
    const { event, undo } = attempt(number, () => thread.step());
    steps++;
    trace.push(event);
    if (event.first) begun[number]!.push(ended);
    const message = options.checkStep?.(event, image.words);
    if (message !== undefined) fail(message);
    if (steps === options.maxSteps) throw new Stop();
    return () => {
      undo();
      trace.pop();
      if (event.first) begun[number]!.pop();
    };
  }

  /** Takes a step of a thread and what goes with it. */
  function move(number: number): { readonly move: Move; readonly undo: () => void } {
    const thread = threads[number]!;
    const from = trace.length;
    const undos = [takeStep(thread, number)];
    while (thread.pending !== undefined && unobservable.has(thread.pending)) {
      undos.push(takeStep(thread, number));
    }
    const undo = (): void => {
      while (undos.length > 0) undos.pop()!();
    };
    return { move: trace.slice(from), undo };
  }

  function finish(): void {
    finalStates++;
    longest = Math.max(longest, trace.length);
    for (const [number, thread] of threads.entries()) attempt(number, () => thread.end());
    const history = historyOf(threads, trace);
    const message = options.checkExecution({ trace, history, words: image.words });
    if (message !== undefined) fail(message);
  }

  function keyOfState(): string {
    return `${threads.map(({ key }) => key).join()} ${begun.join(';')} ${hashOf(image.words)}`;
  }

  function search(sleep: ReadonlyMap<number, Move>): void {
    const running = threads.flatMap(({ finished }, number) => (finished ? [] : [number]));
    const asleep = [...sleep.keys()].reduce((bits, number) => bits | (1 << number), 0);
    const key = keyOfState();
    const sleptBefore = searched.get(key) ?? -1;
    if ((sleptBefore & ~asleep) === 0) return;
    searched.set(key, sleptBefore & asleep);
    const depth = trace.length;
    snapshots[depth] ??= new Int32Array(image.words.length);
    snapshots[depth].set(image.words);
    if (running.length === 0) {
      finish();
      image.words.set(snapshots[depth]);
      return;
    }
    const tired = new Map(sleep);
    for (const number of running) {
      if (!(sleptBefore & ~asleep & (1 << number))) continue;
      const taken = move(number);
      search(new Map([...tired].filter(([, sleeping]) => !dependent(sleeping, taken.move))));
      taken.undo();
      image.words.set(snapshots[depth]);
      tired.set(number, taken.move);
    }
  }

  for (const thread of threads) thread.start();
  let outcome: Exploration['outcome'] = 'exhausted';
  try {
    search(new Map());
  } catch (thrown) {
    if (!(thrown instanceof Stop)) throw thrown;
    outcome = violation ? 'violation' : 'stopped';
  }
  return { outcome, ...(violation && { violation }), states: searched.size, finalStates, steps, longest };
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

/** 64 bits that stand for the memory. */
function hashOf(words: Int32Array): string {
  let a = 0;
  let b = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === 0) continue;
    a = Math.imul(a ^ word ^ (i << 17), 0x9e3779b1);
    a ^= a >>> 15;
    b = Math.imul(b + word, 0x85ebca6b) ^ Math.imul(i, 0xc2b2ae35);
    b ^= b >>> 13;
  }
  return `${a} ${b}`;
}

function historyOf<Operation, Result>(
  threads: readonly SimulatedThread<Operation, Result>[],
  trace: readonly StepEvent[],
): HistoryCall<Operation, Result>[] {
  return threads.flatMap(({ calls }, thread) =>
    calls.map(({ operation, result }, call) => {
      const own = (event: StepEvent): boolean => event.thread === thread && event.call === call;
      return { thread, operation, result, from: trace.findIndex(own), to: trace.findLastIndex(own) };
    }),
  );
}
