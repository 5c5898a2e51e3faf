/**
 * Runs simulated threads in all orders that differ in what they do to each other.
 *
 * Two steps *depend* on each other if they are of one thread, touch a word of which one of them writes, or if one ends a
 * call and the other begins one: the last makes histories comparable in time, so that linearisability can be judged. Orders
 * that differ only in independent steps are the same execution. The search is source-DPOR (Abdulla, Aronis, Jonsson, Sagonas, POPL
 * 2014) with sleep sets: it runs some order; wherever two steps raced, it goes back to the point before the first of them and
 * has a thread start there that leads to the other order; a thread whose next step was tried before, and that nothing since
 * depends on, sleeps. Happens-before is kept in vector clocks.
 *
 * A call begins with its first step and ends with its last. A real call begins earlier and ends later, which
 * only allows more.
 *
 * **Invariants.** `nodes[i]` belongs to the state before `trace[i]`. The image equals the initial one plus `trace`.
 */
import { ImageMemory } from './image-memory.js';
import type { HistoryCall } from './linearizability.js';
import { SimulatedThread, type StepEvent, type ThreadBody } from './simulated-thread.js';

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
  /** Says what is wrong with a step, if anything is; called after each. */
  readonly checkStep?: (event: StepEvent, words: Int32Array) => string | undefined;
  /** Says what is wrong with a complete run, if anything is. */
  readonly checkExecution: (execution: Execution<Operation, Result>) => string | undefined;
  /** Stop after so many runs. */
  readonly maxExecutions?: number;
}

export interface Violation {
  readonly message: string;
  /** The steps that lead there. */
  readonly trace: readonly StepEvent[];
}

export interface Exploration {
  /** Every execution was run, and nothing was wrong; or this was; or `maxExecutions` were run. */
  readonly outcome: 'exhausted' | 'violation' | 'stopped';
  readonly violation?: Violation;
  readonly executions: number;
  /** Runs that turned out to repeat another one and were given up. */
  readonly redundant: number;
  /** Steps taken in all, and of the longest run. */
  readonly steps: number;
  readonly longest: number;
}

interface Node {
  /** The threads to be tried here, as bits. */
  backtrack: number;
  /** Threads that need not be tried here, with the step each would take. */
  readonly sleep: Map<number, StepEvent>;
}

/** An event with its place in the order. */
interface Occurrence {
  readonly event: StepEvent;
  /** Its number among the steps of its thread, from 1. */
  readonly index: number;
  /** How many steps of each thread happen before it or are it. */
  readonly clock: Int32Array;
}

class Stop extends Error {}

export function exploreInterleavings<Operation, Result>(
  options: ExploreOptions<Operation, Result>,
): Exploration {
  const image = new ImageMemory(options.initial.byteLength);
  image.words.set(options.initial);
  const threads = options.threads.map((body, number) => new SimulatedThread(number, image, body));
  const all = threads.map((_, number) => number);
  const trace: Occurrence[] = [];
  const nodes: Node[] = [];
  const snapshots: Int32Array[] = [];
  const stepCounts = new Int32Array(threads.length);
  let violation: Violation | undefined;
  let executions = 0;
  let redundant = 0;
  let steps = 0;
  let longest = 0;

  function fail(message: string): never {
    violation = { message, trace: trace.map(({ event }) => event) };
    throw new Stop();
  }

  function latestOf(thread: number): Occurrence | undefined {
    return trace.findLast(({ event }) => event.thread === thread);
  }

  /** Adds a step to the trace, and to every earlier node the threads that would reverse a race with it. */
  function append(event: StepEvent): void {
    const clock = latestOf(event.thread)?.clock.slice() ?? new Int32Array(threads.length);
    clock[event.thread] = ++stepCounts[event.thread]!;
    const races: number[] = [];
    for (let i = trace.length - 1; i >= 0; i--) {
      const earlier = trace[i]!;
      if (earlier.index <= clock[earlier.event.thread]! || !dependent(earlier.event, event)) continue;
      races.push(i);
      for (const thread of all) clock[thread] = Math.max(clock[thread]!, earlier.clock[thread]!);
    }
    const occurrence = { event, index: clock[event.thread]!, clock };
    trace.push(occurrence);
    for (const i of races) reverse(i, occurrence);
  }

  function reverse(raceAt: number, later: Occurrence): void {
    const earlier = trace[raceAt]!;
    const unordered = trace
      .slice(raceAt + 1, -1)
      .filter(({ clock }) => clock[earlier.event.thread]! < earlier.index);
    unordered.push(later);
    // The threads with which a run of `unordered` could begin.
    let initials = 0;
    let seen = 0;
    for (const [position, occurrence] of unordered.entries()) {
      const bit = 1 << occurrence.event.thread;
      if (seen & bit) continue;
      seen |= bit;
      const preceded = unordered
        .slice(0, position)
        .some(other => other.index <= occurrence.clock[other.event.thread]!);
      if (!preceded) initials |= bit;
    }
    const node = nodes[raceAt]!;
    if (initials & node.backtrack) return;
    const preferred = 1 << later.event.thread;
    node.backtrack |= initials & preferred ? preferred : initials & -initials;
  }

  function takeStep(thread: number): StepEvent {
    let event: StepEvent;
    try {
      event = threads[thread]!.step();
    } catch (error) {
      return fail(`thread ${thread} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    steps++;
    append(event);
    const message = options.checkStep?.(event, image.words);
    return message === undefined ? event : fail(message);
  }

  function goBack(thread: number): void {
    image.words.set(snapshots[nodes.length - 1]!);
    trace.pop();
    stepCounts[thread]!--;
    threads[thread]!.forget();
  }

  function finish(): void {
    executions++;
    longest = Math.max(longest, trace.length);
    for (const thread of threads) thread.end();
    const message = options.checkExecution({
      trace: trace.map(({ event }) => event),
      history: historyOf(threads, trace),
      words: image.words,
    });
    if (message !== undefined) fail(message);
    if (executions === options.maxExecutions) throw new Stop();
  }

  function visit(sleep: Map<number, StepEvent>): void {
    const running = all.filter(thread => !threads[thread]!.finished);
    if (running.length === 0) {
      finish();
      return;
    }
    const begin = running.find(thread => !sleep.has(thread));
    if (begin === undefined) {
      redundant++;
      return;
    }
    const node: Node = { backtrack: 1 << begin, sleep };
    nodes.push(node);
    const depth = nodes.length - 1;
    snapshots[depth] ??= new Int32Array(image.words.length);
    snapshots[depth].set(image.words);
    for (;;) {
      const thread = running.find(t => node.backtrack & (1 << t) && !node.sleep.has(t));
      if (thread === undefined) break;
      const event = takeStep(thread);
      visit(new Map([...node.sleep].filter(([, sleeping]) => !dependent(sleeping, event))));
      goBack(thread);
      node.sleep.set(thread, event);
    }
    nodes.pop();
  }

  for (const thread of threads) thread.start();
  try {
    visit(new Map());
  } catch (thrown) {
    if (!(thrown instanceof Stop)) throw thrown;
    const outcome = violation ? 'violation' : 'stopped';
    return { outcome, ...(violation && { violation }), executions, redundant, steps, longest };
  }
  return { outcome: 'exhausted', executions, redundant, steps, longest };
}

/** Whether the order of two steps can matter. */
function dependent(a: StepEvent, b: StepEvent): boolean {
  if (a.thread === b.thread) return true;
  if ((a.last && b.first) || (a.first && b.last)) return true;
  return writesInto(a, b) || writesInto(b, a);
}

function writesInto(a: StepEvent, b: StepEvent): boolean {
  return a.wroteByteCount > 0 && a.wroteAt < b.at + b.byteCount && b.at < a.wroteAt + a.wroteByteCount;
}

function historyOf<Operation, Result>(
  threads: readonly SimulatedThread<Operation, Result>[],
  trace: readonly Occurrence[],
): HistoryCall<Operation, Result>[] {
  return threads.flatMap(({ calls }, thread) =>
    calls.map(({ operation, result }, call) => {
      const own = ({ event }: Occurrence): boolean => event.thread === thread && event.call === call;
      return { thread, operation, result, from: trace.findIndex(own), to: trace.findLastIndex(own) };
    }),
  );
}
