/**
 * A thread that takes one atomic step at a time, although its code is ordinary synchronous TypeScript.
 *
 * There are no coroutines in it. The body is a function that gets at the outside world only through a `Memory`, so what
 * it does next follows from the answers it got so far. They are kept in a log. To take a step, the body is run from its beginning: the
 * memory answers from the log, performs the one step that is new, and at the step after that throws `PAUSE` to leave the
 * body. To go back in time is to take an older log. So the code under the scheduler is the very code that ships.
 *
 * The log also stands for the thread's local state: equal logs go on alike. But most answers are soon forgotten by the
 * code, and logs that differ in those should be equal. This is what a *section* is for: a part of the body whose only
 * lasting effects are its result and the fields of one object. When it is through, its answers are replaced in the log by these, and
 * later runs do not perform it but restore them.
 *
 * Steps before the first call (opening a handle) are performed at once by `start`, and are not interleaved; nor are those
 * of `end`.
 *
 * **Invariants.** Running the body does nothing but through the memory, `call` and `section`. A log is never changed.
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

/** The answer to a step, or what a section left behind. */
interface LogEntry {
  readonly low: number;
  readonly high: number;
  readonly section?: Section;
  /** Stands for this entry and all before it. */
  readonly key: number;
}

interface Section {
  /** Its number in the section around it, and so on outwards: several may begin at one place of the log. */
  readonly path: string;
  readonly result: unknown;
  readonly fields: readonly unknown[];
}

/** What `high` is after a step that does not define it: something that no code can use by mistake and be right. */
const UNDEFINED_HIGH = 0x5a5a5a5a;

const PAUSE = Symbol('the thread is not to take another step');

/** Gives equal texts equal numbers. */
export class Interner {
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(text, number);
    }
    return number;
  }
}

export class SimulatedThread<Operation, Result> implements Memory {
  high = 0;
  /** Whether the body has returned. */
  finished = false;
  /** The calls that have returned. */
  calls: FinishedCall<Operation, Result>[] = [];
  /** The step that the thread would take next. */
  pending: StepName | undefined;

  readonly #interner: Interner;
  readonly #number: number;
  readonly #image: ImageMemory;
  readonly #body: ThreadBody<Operation, Result>;
  #log: LogEntry[] = [];
  /** The next entry of the log to answer from. */
  #position = 0;
  #stepsOfCall = 0;
  #inCall = false;
  /** Which section is being performed, and how many it has had inside. */
  #path = '';
  #siblings = 0;
  /** Whether steps outside of calls are performed at once. */
  #unscheduled = false;
  #epilogue: (() => void) | undefined;
  #event: StepEvent | undefined;

  constructor(number: number, image: ImageMemory, interner: Interner, body: ThreadBody<Operation, Result>) {
    this.#interner = interner;
    this.#number = number;
    this.#image = image;
    this.#body = body;
  }

  /** Stands for all that the thread knows. */
  get key(): number {
    return this.#log.at(-1)?.key ?? 0;
  }

  /** Runs the body to its first call. */
  start(): void {
    this.#unscheduled = true;
    this.#run();
    this.#unscheduled = false;
  }

  /** Takes one step; the returned function takes it back. An error that the body throws comes out here. */
  step(): { readonly event: StepEvent; readonly undo: () => void } {
    const { finished, calls, pending } = this;
    const log = this.#log;
    this.#event = undefined;
    this.#log = log.slice();
    this.#run();
    return {
      event: this.#event!,
      undo: () => {
        this.#log = log;
        this.finished = finished;
        this.calls = calls;
        this.pending = pending;
      },
    };
  }

  /** Does what is to be done after all threads. The caller restores the image. */
  end(): void {
    const log = this.#log;
    this.#log = log.slice();
    this.#run();
    this.#unscheduled = true;
    this.#epilogue?.();
    this.#unscheduled = false;
    this.#log = log;
  }

  /** Performs a part of the body whose lasting effects are its result and `owner`'s fields. */
  section<T>(owner: object, perform: () => T): T {
    const from = this.#position;
    const path = this.#path;
    const own = `${path}.${++this.#siblings}`;
    const known = this.#log[from]?.section;
    if (known?.path === own) {
      this.#position++;
      this.#stepsOfCall++;
      for (const [i, name] of Object.keys(owner).entries()) Reflect.set(owner, name, known.fields[i]);
      return known.result as T;
    }
    const siblings = this.#siblings;
    this.#path = own;
    this.#siblings = 0;
    const result = perform();
    this.#path = path;
    this.#siblings = siblings;
    if (this.#position > from) {
      const fields = Object.values(owner);
      const local = fields.filter(field => typeof field !== 'object');
      this.#log.length = from;
      this.#append(0, 0, `${own} ${String(result)} ${local.join()}`, { path: own, result, fields });
    }
    return result;
  }

  #append(low: number, high: number, key: string, section?: Section): void {
    const entry = { low, high, key: this.#interner.numberOf(`${this.key} ${key}`) };
    this.#log.push(section ? { ...entry, section } : entry);
    this.#position = this.#log.length;
  }

  #run(): void {
    this.#position = 0;
    this.#path = '';
    this.#siblings = 0;
    this.#inCall = false;
    this.calls = [];
    this.pending = undefined;
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

  /** Whether the step was performed before. */
  #isReplayed(): boolean {
    return this.#position < this.#log.length;
  }

  #replay(): number {
    const { low, high } = this.#log[this.#position++]!;
    this.#stepsOfCall++;
    this.high = high;
    return low;
  }

  /** Performs a new step, unless the thread has taken one. */
  #perform(step: StepName, kind: StepKind, at: number, byteCount: number, run: () => number): number {
    if (this.#unscheduled ? this.#inCall : this.#event !== undefined) {
      this.pending = step;
      throw PAUSE;
    }
    const { words } = this.#image;
    const low = at >> 2;
    const high = byteCount === 8 ? low + 1 : -1;
    const before = [words[low]!, words[high] ?? 0] as const;
    // A step that reads no word leaves the thread's own `high`; the image's may be another thread's.
    this.#image.high = this.high;
    const answer = run();
    this.high = byteCount === 8 && kind !== 'cas' ? this.#image.high : UNDEFINED_HIGH;
    this.#append(answer, this.high, `${answer} ${this.high}`);
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
    if (this.#isReplayed()) return this.#replay();
    return this.#perform(step, 'load', at, 4, () => this.#image.load32(step, at));
  }

  store32(step: StepName, at: number, value: number): void {
    if (this.#isReplayed()) this.#replay();
    else
      this.#perform(step, 'store', at, 4, () => {
        this.#image.store32(step, at, value);
        return 0;
      });
  }

  add32(step: StepName, at: number, delta: number): number {
    if (this.#isReplayed()) return this.#replay();
    return this.#perform(step, 'add', at, 4, () => this.#image.add32(step, at, delta));
  }

  cas32(step: StepName, at: number, expected: number, desired: number): boolean {
    if (this.#isReplayed()) return this.#replay() === 1;
    const run = (): number => Number(this.#image.cas32(step, at, expected, desired));
    return this.#perform(step, 'cas', at, 4, run) === 1;
  }

  load64(step: StepName, at: number): number {
    if (this.#isReplayed()) return this.#replay();
    return this.#perform(step, 'load', at, 8, () => this.#image.load64(step, at));
  }

  add64(step: StepName, at: number, low: number, high: number): number {
    if (this.#isReplayed()) return this.#replay();
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
    if (this.#isReplayed()) return this.#replay() === 1;
    const run = (): number => Number(this.#image.cas64(step, at, expectedLow, expectedHigh, low, high));
    return this.#perform(step, 'cas', at, 8, run) === 1;
  }

  zero(step: StepName, at: number, byteCount: number): void {
    if (this.#isReplayed()) this.#replay();
    else
      this.#perform(step, 'zero', at, byteCount, () => {
        this.#image.zero(step, at, byteCount);
        return 0;
      });
  }
}
