/**
 * Runs simulated threads in all interleavings that can make a difference.
 *
 * The search enumerates *states*: the memory, the state of each thread, and the results that the
 * history allows for the calls (`linearizability.ts`). A state that was reached before is not
 * searched again. Four reductions avoid orders of steps that lead to the same result:
 *
 * - Persistent sets (Godefroid). Two steps are *dependent* if they belong to different threads and
 *   one writes a word that the other accesses, or one ends a call and the other begins one. In a
 *   state, one thread is tried first. When the search backtracks, it returns the *future* after the
 *   step: all accesses that each thread may make from there on (`futures.ts`). Threads that may
 *   make a step dependent on the first one are tried too, with the futures after their own steps,
 *   until no further thread is added. The other threads need not be tried here.
 * - Steps on memory that no other thread can reach, and loads whose result makes no difference, are
 *   executed together with the step before them (`unobservable`).
 * - So are steps that would have the same result and change nothing at any later time, as the
 *   program declares (`isFinal`): loads of words that will never change again, compare-and-swaps
 *   that will always fail. They commute with everything. The declaration is checked with every
 *   write.
 * - A load and the compare-and-swap of the loaded value that follows it are executed as one step,
 *   if the thread would return to the load after a failure (`wouldRetry`). As two steps they either
 *   fail, which is the same as not executing them, or succeed, and then the load could have been
 *   executed later.
 *
 * Why it is enough to try the threads T in a state s: suppose that threads outside T execute the
 * steps w from s, and then one of them, q, executes the first step e that is dependent on the step
 * t of some thread of T. The steps w are independent of t, so t followed by w is possible too, and
 * q is then before the same step, with the same position and the same values read. So e accesses a
 * word that t writes, or it reads the same values as without t and writes a word that t accesses.
 * Hence e is in the future after t, and q is in T by construction, a contradiction. So nothing that
 * the other threads do before T moves depends on the steps of T, which is the definition of
 * *persistent*: every run is equivalent, by swapping independent steps, to one that is tried. By
 * induction the same holds for the following states; hence the future of s is the union of the
 * futures after the steps tried. A state that is reached again before its future is known is
 * assumed to have every future, so where a run repeats a state, all threads are tried, and none is
 * postponed indefinitely.
 *
 * A call begins with its first step and ends with its last. A real call begins earlier and ends
 * later, which only allows more results.
 *
 * Stateless DPOR, which needs no keys of states, was implemented first and is not used, because
 * threads that help each other defeat it: two threads that migrate the same entries differ in which
 * was first at each entry, and reach the same states again (`docs/decisions/0040`). Sleep sets,
 * which save steps where persistent sets save states, are not used, because a step that is skipped
 * since it was tried elsewhere would be missing in the future (`docs/decisions/0072`).
 *
 * **Invariants.** The memory is the initial one plus the steps of `trace`. A thread's next step
 * is determined by the state.
 */
import type { StepValue } from '../language/interpret.js';
import { type ByteRange, Futures, NO_ACCESS, NO_FUTURE } from './futures.js';
import { Histories } from './histories.js';
import { LinearizabilityMonitor, type SequentialModel } from './linearizability.js';
import { mixed, SimulatedMemory, type Step } from './simulated-memory.js';
import {
  SimulatedThread,
  type StepEvent,
  type SteppedProcess,
  type ThreadProgram,
} from './simulated-thread.js';
import { StateStore } from './state-store.js';

/** One complete run of all threads. */
export interface Execution<State, Result> {
  readonly trace: readonly StepEvent[];
  /** The results of each thread's calls. */
  readonly results: readonly (readonly Result[])[];
  /** The fields of each thread's handle. */
  readonly fields: readonly (readonly StepValue[])[];
  /** The states of the model that explain the results. */
  readonly states: readonly State[];
  /** The history as text, if histories are compared. */
  readonly history: string | undefined;
  /** The memory at the end. Do not write to it. */
  readonly words: Int32Array;
}

export interface InterleavingOptions<State, Operation, Result> {
  /** A process that executes the calls of a thread, with these fields. */
  readonly start: (fields: readonly StepValue[] | undefined) => SteppedProcess;
  /** The memory that the threads find. */
  readonly initial: Int32Array;
  readonly threads: readonly ThreadProgram<Operation, Result>[];
  /** The results that are allowed; without it, results are not checked. */
  readonly model?: SequentialModel<State, Operation, Result>;
  /**
   * Steps on memory that no other thread can reach then, and loads whose answer makes no
   * difference.
   */
  readonly unobservable?: ReadonlySet<string>;
  /**
   * Whether a step on a word with this value changes nothing and would be answered the same at any
   * later time.
   */
  readonly isFinal?: (step: string, low: number, high: number) => boolean;
  /**
   * Normalises the state after a step without changing what any thread does next, so that states
   * that differ only in irrelevant details are merged.
   */
  readonly normalise?: (event: StepEvent, words: Int32Array) => readonly Step[];
  /**
   * Returns the problem of a step, if any; called after each, with the fields of each thread's
   * handle. The result must depend only on the step, the memory and the fields, because a state is
   * not reached in all ways.
   */
  readonly checkStep?: (
    event: StepEvent,
    words: Int32Array,
    fields: readonly (readonly StepValue[])[],
  ) => string | undefined;
  /** Returns the problem of a complete run, if any; called for each final state. */
  readonly checkExecution?: (execution: Execution<State, Result>) => string | undefined;
  /**
   * Whether states with different pasts are different: then every history is seen by
   * `checkExecution`, and there are more states.
   */
  readonly tellsHistoriesApart?: boolean;
  /**
   * Bytes that a step counts as writing, beside its word: so that what touches them is tried both
   * before and after it, for the sake of `checkStep`.
   */
  readonly concerns?: (event: StepEvent, words: Int32Array) => ByteRange | undefined;
  /**
   * Whether to try every step of every state, for a `checkStep` that examines more than the step
   * touches.
   */
  readonly everyStep?: boolean;
  /** Stop after this many steps. */
  readonly maxSteps?: number;
}

export interface Violation {
  readonly message: string;
  /** The steps that lead there. */
  readonly trace: readonly StepEvent[];
}

export interface InterleavingReport {
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

/** Ends the search. */
class Stop extends Error {}

export function exploreInterleavings<State, Operation, Result>(
  options: InterleavingOptions<State, Operation, Result>,
): InterleavingReport {
  return new InterleavingSearch(options).run();
}

class InterleavingSearch<State, Operation, Result> {
  readonly #options: InterleavingOptions<State, Operation, Result>;
  readonly #memory: SimulatedMemory;
  readonly #monitor: LinearizabilityMonitor<State, Operation, Result> | undefined;
  readonly #threads: SimulatedThread<Operation, Result>[];
  readonly #trace: StepEvent[] = [];
  readonly #searched = new StateStore();
  readonly #futures: Futures;
  /**
   * For each state of a thread's knowledge, the accesses of its step and of everything after it,
   * when last seen.
   */
  readonly #lastMove = new Map<number, number>();
  readonly #lastFuture = new Map<number, number>();
  readonly #histories: Histories | undefined;
  #explained: number;
  #history = 0;
  #violation: Violation | undefined;
  #finalStates = 0;
  #steps = 0;
  #longest = 0;

  constructor(options: InterleavingOptions<State, Operation, Result>) {
    const { model, initial, start, threads, tellsHistoriesApart } = options;
    this.#options = options;
    this.#memory = new SimulatedMemory(initial);
    this.#monitor = model && new LinearizabilityMonitor(model, threads.length);
    this.#threads = SimulatedThread.startAll(start, threads);
    this.#futures = new Futures(threads.length, initial.length);
    this.#histories = tellsHistoriesApart ? new Histories(threads.length) : undefined;
    this.#explained = this.#monitor?.initial ?? 0;
  }

  run(): InterleavingReport {
    let outcome: InterleavingReport['outcome'] = 'exhausted';
    try {
      this.#search();
    } catch (thrown) {
      if (!(thrown instanceof Stop)) throw thrown;
      outcome = this.#violation ? 'violation' : 'stopped';
    }
    return {
      outcome,
      ...(this.#violation && { violation: this.#violation }),
      states: this.#searched.count,
      finalStates: this.#finalStates,
      steps: this.#steps,
      longest: this.#longest,
    };
  }

  // ------------------------------------------------------------------------------------ the search

  /** Searches what follows the state that is reached, and returns the future. */
  #search(): number {
    let low = mixed(mixed(this.#memory.hashLow, this.#explained), this.#history);
    let high = mixed(mixed(this.#memory.hashHigh, ~this.#explained), ~this.#history);
    for (const { knowledge } of this.#threads) {
      low = mixed(low, knowledge);
      high = mixed(high, ~knowledge);
    }
    const searched = this.#searched;
    const known = searched.get(low, high);
    if (known !== undefined) return known;
    const futures = this.#futures;
    // Should a run come back here, nothing is known yet about what follows.
    searched.set(low, high, futures.anything);
    const going = this.#threads.filter(({ pending }) => pending !== undefined);
    if (going.length === 0) this.#finish();
    const wanted = new Set(this.#options.everyStep ? going : this.#likelyAlone(going));
    let future = NO_FUTURE;
    for (const thread of wanted) {
      const { accesses, following } = this.#searchBehind(thread);
      for (const other of going)
        if (futures.conflict(futures.of(following, other.number), accesses)) wanted.add(other);
      future = futures.joined(future, futures.prefixed(thread.number, accesses, following));
    }
    for (const { knowledge, number } of going) this.#lastFuture.set(knowledge, futures.of(future, number));
    searched.set(low, high, future);
    return future;
  }

  /** Searches what follows a step of a thread. */
  #searchBehind(thread: SimulatedThread<Operation, Result>): {
    readonly accesses: number;
    readonly following: number;
  } {
    const [explained, history] = [this.#explained, this.#history];
    const depth = this.#trace.length;
    const accesses = this.#futures.accessesOf(this.#move(thread.number), event =>
      this.#options.concerns?.(event, this.#memory.words),
    );
    const following = this.#search();
    while (this.#trace.length > depth) this.#memory.undo(this.#trace.pop()!);
    this.#threads[thread.number] = thread;
    [this.#explained, this.#history] = [explained, history];
    this.#lastMove.set(thread.knowledge, accesses);
    return { accesses, following };
  }

  /**
   * Chooses the running thread whose step depends on the fewest others, judged by other states. A
   * guess is sufficient.
   */
  #likelyAlone(
    going: readonly SimulatedThread<Operation, Result>[],
  ): readonly SimulatedThread<Operation, Result>[] {
    let best = 0;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [i, { knowledge }] of going.entries()) {
      const accesses = this.#lastMove.get(knowledge);
      if (accesses === undefined) continue;
      const meets = (other: SimulatedThread<Operation, Result>): boolean =>
        this.#futures.conflict(this.#lastFuture.get(other.knowledge) ?? NO_ACCESS, accesses);
      const count = going.filter((other, j) => j !== i && meets(other)).length;
      if (count < fewest) [best, fewest] = [i, count];
    }
    return going.slice(best, best + 1);
  }

  // --------------------------------------------------------------------------------------- steps

  /** Takes a step of a thread and what goes with it. */
  #move(number: number): Move {
    const from = this.#trace.length;
    let before: SimulatedThread<Operation, Result>;
    do {
      before = this.#threads[number]!;
      this.#takeStep(before);
    } while (this.#goesWithTheLast(this.#threads[number]!) || this.#wouldRetry(before, this.#trace.at(-1)!));
    return this.#trace.slice(from);
  }

  /** Takes the pending step of a thread. */
  #takeStep(thread: SimulatedThread<Operation, Result>): void {
    const { event, next } = this.#attempt(thread);
    this.#steps++;
    this.#trace.push(event);
    this.#threads[thread.number] = next;
    if (event.first) this.#begin(thread, event);
    if (event.last) this.#end(next);
    this.#check(event);
    for (const replacement of this.#options.normalise?.(event, this.#memory.words) ?? []) {
      const effect = this.#memory.perform(replacement);
      this.#trace.push({ ...event, ...effect, step: replacement.step, first: false, last: false });
    }
    if (this.#steps === this.#options.maxSteps) throw new Stop();
  }

  #attempt(thread: SimulatedThread<Operation, Result>): ReturnType<typeof thread.step> {
    try {
      return thread.step(this.#memory);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return this.#fail(`thread ${thread.number} failed: ${message}`);
    }
  }

  #begin({ number, call }: SimulatedThread<Operation, Result>, event: StepEvent): void {
    if (this.#monitor)
      this.#explained = this.#monitor.begin(this.#explained, number, call!.operation, `${event.call}`);
    if (this.#histories) this.#history = this.#histories.begin(this.#history, number);
  }

  #end({ number, results }: SimulatedThread<Operation, Result>): void {
    const result = results.at(-1)!;
    if (this.#histories) this.#history = this.#histories.end(this.#history, number, String(result));
    if (this.#monitor === undefined) return;
    this.#explained =
      this.#monitor.end(this.#explained, number, result) ??
      this.#fail(`not linearisable: ${this.#describeCalls()}`);
  }

  #check(event: StepEvent): void {
    const { isFinal, checkStep } = this.#options;
    if (event.wroteByteCount > 0 && isFinal?.(event.step, event.before[0], event.before[1]))
      this.#requireNoChange(event);
    const message = checkStep?.(
      event,
      this.#memory.words,
      this.#threads.map(({ fields }) => fields),
    );
    if (message !== undefined) this.#fail(message);
  }

  #requireNoChange({ step, before, after }: StepEvent): void {
    if (before.join() !== after.join()) this.#fail(`${step} changes what is final`);
  }

  /** Whether the next step of a thread can be taken together with the one before. */
  #goesWithTheLast(thread: SimulatedThread<Operation, Result>): boolean {
    const { unobservable, isFinal } = this.#options;
    const { pending, isAtBegin } = thread;
    if (pending === undefined || isAtBegin) return false;
    if (unobservable?.has(pending.step)) return true;
    if (isFinal === undefined || pending.operation === 'zero') return false;
    const at = (pending.operands[0] as number) >> 2;
    const { words } = this.#memory;
    if (!isFinal(pending.step, words[at]!, words[at + 1]!)) return false;
    // It changes nothing, so it can be tried: with the end of a call it would be seen by others.
    const { event } = thread.step(this.#memory);
    this.#requireNoChange(event);
    return !event.last;
  }

  /**
   * Whether a thread, having loaded a word, would now replace it, and load it again if that were
   * refused.
   */
  #wouldRetry(before: SimulatedThread<Operation, Result>, { kind, at, answer }: StepEvent): boolean {
    const thread = this.#threads[before.number]!;
    const { pending } = thread;
    return (
      kind === 'load' &&
      pending?.operation.startsWith('cas') === true &&
      pending.operands[0] === at &&
      pending.operands[1] === answer &&
      thread.after(0).knowledge === before.knowledge
    );
  }

  // ---------------------------------------------------------------------------------------- ends

  #finish(): void {
    this.#finalStates++;
    this.#longest = Math.max(this.#longest, this.#trace.length);
    const message = this.#options.checkExecution?.({
      trace: this.#trace,
      results: this.#threads.map(({ results }) => results),
      fields: this.#threads.map(({ fields }) => fields),
      states: this.#monitor?.statesOf(this.#explained) ?? [],
      history: this.#histories?.describe(this.#history),
      words: this.#memory.words,
    });
    if (message !== undefined) this.#fail(message);
  }

  #fail(message: string): never {
    this.#violation = { message, trace: [...this.#trace] };
    throw new Stop();
  }

  #describeCalls(): string {
    const { model, threads } = this.#options;
    return this.#threads
      .flatMap(({ results }, thread) =>
        results.map((result, call) => {
          const own = (event: StepEvent): boolean => event.thread === thread && event.call === call;
          const { operation } = threads[thread]!.calls[call]!;
          const [from, to] = [this.#trace.findIndex(own), this.#trace.findLastIndex(own)];
          return `${thread}: ${model!.describe(operation)} = ${result} [${from}-${to}]`;
        }),
      )
      .join(', ');
  }
}
