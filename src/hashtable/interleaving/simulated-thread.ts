/**
 * A thread that takes one atomic step at a time, although its code is ordinary synchronous TypeScript.
 *
 * There are no coroutines in it. The body is a function that gets at the outside world only through a `Memory`, so what
 * it does next follows from the answers it got so far. They are kept in a log. To take a step, the body is run from its beginning: the
 * memory answers from the log, performs the one step that is new, and at the step after that throws `PAUSE` to leave the
 * body. To go back in time is to shorten the log. So the code under the scheduler is the very code that ships.
 *
 * Steps before the first call (opening a handle) are performed at once by `start`, and are not interleaved; nor are those
 * of `end`.
 *
 * **Invariants.** Running the body does nothing but through the memory and `call`. `log` has one answer per step performed.
 */
import type { Memory, StepName } from '../memory.js';
import type { ImageMemory } from './image-memory.js';

/**
 * What a thread runs. `call` marks an operation: what it is, and how it is performed. What is returned is done when all
 * threads are through, thread by thread: closing a handle.
 */
export type ThreadBody<Operation, Result> = (
  memory: Memory,
  call: (operation: Operation, perform: () => Result) => Result,
) => () => void;

export type StepKind = 'load' | 'store' | 'add' | 'cas' | 'zero';

/** One atomic step, as it happened. */
export interface StepEvent {
  readonly thread: number;
  /** The number of the thread's call it belongs to. */
  readonly call: number;
  readonly step: StepName;
  readonly kind: StepKind;
  /** The address of the word, and how many bytes were touched. */
  readonly at: number;
  readonly byteCount: number;
  /** The word's halves before and after; the upper halves are 0 for a 32-bit word. */
  readonly before: readonly [low: number, high: number];
  readonly after: readonly [low: number, high: number];
  /** Which bytes it wrote: none, if a compare-and-swap failed; half of them, if something was added to the upper half. */
  readonly wroteAt: number;
  readonly wroteByteCount: number;
  /** Whether the call began with it, and whether the call returned after it. */
  readonly first: boolean;
  last: boolean;
}

export interface FinishedCall<Operation, Result> {
  readonly operation: Operation;
  readonly result: Result;
}

const PAUSE = Symbol('the thread is not to take another step');

export class SimulatedThread<Operation, Result> implements Memory {
  high = 0;
  /** Whether the body has returned. */
  finished = false;
  /** The calls that have returned. */
  calls: FinishedCall<Operation, Result>[] = [];

  readonly #number: number;
  readonly #image: ImageMemory;
  readonly #body: ThreadBody<Operation, Result>;
  /** Answers of the memory, two numbers per step. */
  readonly #log: number[] = [];
  /** How many steps the body has taken in this run, and in its present call. */
  #position = 0;
  #stepsOfCall = 0;
  #inCall = false;
  /** Whether steps outside of calls are performed at once. */
  #unscheduled = false;
  #epilogue: (() => void) | undefined;
  #answer = 0;
  #event: StepEvent | undefined;

  constructor(number: number, image: ImageMemory, body: ThreadBody<Operation, Result>) {
    this.#number = number;
    this.#image = image;
    this.#body = body;
  }

  /** Runs the body to its first call. */
  start(): void {
    this.#unscheduled = true;
    this.#run();
    this.#unscheduled = false;
  }

  /** Does what is to be done after all threads. The caller restores the image before it calls `forget`. */
  end(): void {
    const steps = this.#log.length;
    this.#unscheduled = true;
    this.#epilogue?.();
    this.#unscheduled = false;
    this.#log.length = steps;
  }

  /** Takes one step. An error that the body throws comes out here. */
  step(): StepEvent {
    this.#event = undefined;
    this.#run();
    return this.#event!;
  }

  /** Forgets the last step. The caller restores the image. */
  forget(): void {
    this.#log.length -= 2;
    this.finished = false;
  }

  #run(): void {
    this.#position = 0;
    this.#inCall = false;
    this.calls = [];
    try {
      this.#epilogue = this.#body(this, this.#call);
      this.finished = true;
    } catch (thrown) {
      if (thrown !== PAUSE) throw thrown;
    }
  }

  readonly #call = (operation: Operation, perform: () => Result): Result => {
    this.#inCall = true;
    this.#stepsOfCall = 0;
    const result = perform();
    this.#inCall = false;
    // Had the call wanted another step after the new one, it would not have returned.
    if (this.#event?.call === this.calls.length) this.#event.last = true;
    this.calls.push({ operation, result });
    return result;
  };

  /** Whether the step was performed before; then its answer is in `#answer` and `high`. */
  #isReplayed(): boolean {
    const index = 2 * this.#position;
    if (index >= this.#log.length) return false;
    this.#position++;
    this.#stepsOfCall++;
    this.#answer = this.#log[index]!;
    this.high = this.#log[index + 1]!;
    return true;
  }

  /** Performs a new step, unless the thread has taken one. */
  #perform(step: StepName, kind: StepKind, at: number, byteCount: number, run: () => number): number {
    if (this.#unscheduled ? this.#inCall : this.#event !== undefined) throw PAUSE;
    const { words } = this.#image;
    const low = at >> 2;
    const high = byteCount === 8 ? low + 1 : -1;
    const before = [words[low]!, words[high] ?? 0] as const;
    const answer = run();
    this.high = this.#image.high;
    this.#position++;
    this.#log.push(answer, this.high);
    const first = this.#inCall && this.#stepsOfCall++ === 0;
    if (!this.#unscheduled) {
      const after = [words[low]!, words[high] ?? 0] as const;
      const wrote = kind === 'cas' ? answer === 1 : kind !== 'load';
      const upperOnly = kind === 'add' && byteCount === 8 && before[0] === after[0];
      const wroteAt = upperOnly ? at + 4 : at;
      const wroteByteCount = wrote ? at + byteCount - wroteAt : 0;
      const thread = this.#number;
      const call = this.calls.length;
      this.#event = {
        ...{ thread, call, step, kind, at, byteCount, before, after, wroteAt, wroteByteCount, first },
        last: false,
      };
    }
    return answer;
  }

  load32(step: StepName, at: number): number {
    if (this.#isReplayed()) return this.#answer;
    return this.#perform(step, 'load', at, 4, () => this.#image.load32(step, at));
  }

  store32(step: StepName, at: number, value: number): void {
    if (this.#isReplayed()) return;
    this.#perform(step, 'store', at, 4, () => {
      this.#image.store32(step, at, value);
      return 0;
    });
  }

  add32(step: StepName, at: number, delta: number): number {
    if (this.#isReplayed()) return this.#answer;
    return this.#perform(step, 'add', at, 4, () => this.#image.add32(step, at, delta));
  }

  cas32(step: StepName, at: number, expected: number, desired: number): boolean {
    if (this.#isReplayed()) return this.#answer === 1;
    const run = (): number => Number(this.#image.cas32(step, at, expected, desired));
    return this.#perform(step, 'cas', at, 4, run) === 1;
  }

  load64(step: StepName, at: number): number {
    if (this.#isReplayed()) return this.#answer;
    return this.#perform(step, 'load', at, 8, () => this.#image.load64(step, at));
  }

  add64(step: StepName, at: number, low: number, high: number): number {
    if (this.#isReplayed()) return this.#answer;
    return this.#perform(step, 'add', at, 8, () => this.#image.add64(step, at, low, high));
  }

  cas64(
    step: StepName,
    at: number,
    expectedLow: number,
    expectedHigh: number,
    low: number,
    high: number,
  ): boolean {
    if (this.#isReplayed()) return this.#answer === 1;
    const run = (): number => Number(this.#image.cas64(step, at, expectedLow, expectedHigh, low, high));
    return this.#perform(step, 'cas', at, 8, run) === 1;
  }

  zero(step: StepName, at: number, byteCount: number): void {
    if (this.#isReplayed()) return;
    this.#perform(step, 'zero', at, byteCount, () => {
      this.#image.zero(step, at, byteCount);
      return 0;
    });
  }
}
