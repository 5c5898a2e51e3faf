/**
 * A thread under the scheduler: a list of calls of the program's functions, and the state of the
 * process that makes them. States are immutable: a step creates a new one, so the scheduler
 * backtracks by restoring an older one. The successor of a state depends only on the result of its
 * step and is computed once: a thread repeats the same few thousand states, while millions of
 * interleavings are tried.
 */
import type { StepValue } from '../language/interpret.js';
import type { Effect, SimulatedMemory, Step } from './simulated-memory.js';

/**
 * Executes calls, one after the other, and stops before each step: a program of atomic steps that
 * is interpreted, or TypeScript (`replayed-process.ts`).
 */
export interface SteppedProcess {
  /** The fields that its calls leave for later ones. */
  readonly fields: readonly StepValue[];
  /** The step before which it stands; undefined if the call has returned. */
  readonly pending: Step | undefined;
  /** The result of the last call. */
  readonly result: StepValue | undefined;
  /** Equal for states with the same future. */
  readonly key: string;
  call(name: string, operands: readonly StepValue[]): void;
  /** Continues after the step, with its result. */
  resume(answer: StepValue): void;
  copy(): SteppedProcess;
}

/** A call of a thread, and what is recorded about it. */
export interface ThreadCall<Operation, Result> {
  readonly operation: Operation;
  readonly name: string;
  readonly operands: readonly StepValue[];
  /** Its result, and the fields of the handle at its end. */
  readonly resultOf: (answer: StepValue | undefined, fields: readonly StepValue[]) => Result;
}

export interface ThreadProgram<Operation, Result> {
  readonly calls: readonly ThreadCall<Operation, Result>[];
  /** The fields of the handle at the beginning; zeroes unless given. */
  readonly fields?: readonly StepValue[];
}

/** One atomic step, as it happened. */
export interface StepEvent extends Effect {
  readonly thread: number;
  /** The number of the thread's call it belongs to. */
  readonly call: number;
  readonly step: string;
  /** Whether the call began with it, and whether the call returned after it. */
  readonly first: boolean;
  readonly last: boolean;
}

/** The states that threads were in so far, and a number for each kind of knowledge. */
class ThreadStates<Operation, Result> {
  readonly #states = new Map<string, SimulatedThread<Operation, Result>>();
  readonly #knowledge = new Map<string, number>();

  /** The state that was made like this one before, or this one. */
  theOne(state: SimulatedThread<Operation, Result>, identity: string): SimulatedThread<Operation, Result> {
    const known = this.#states.get(identity);
    if (known === undefined) this.#states.set(identity, state);
    return known ?? state;
  }

  /** Equal for equal keys. */
  numberOf(key: string): number {
    let number = this.#knowledge.get(key);
    if (number === undefined) {
      number = this.#knowledge.size;
      this.#knowledge.set(key, number);
    }
    return number;
  }
}

export class SimulatedThread<Operation, Result> {
  readonly number: number;
  readonly #program: ThreadProgram<Operation, Result>;
  readonly #process: SteppedProcess;
  readonly #states: ThreadStates<Operation, Result>;
  /** Indexed by the answer to the pending step. */
  readonly #following = new Map<StepValue, SimulatedThread<Operation, Result>>();
  /** The results of its calls. */
  readonly results: readonly Result[];
  /** The step that it takes next; undefined when it is through. */
  readonly pending: Step | undefined;
  /** Whether a call begins with that. */
  readonly isAtBegin: boolean;
  /** Represents everything that the thread knows, except the results of its calls. */
  readonly knowledge: number;

  private constructor(
    number: number,
    program: ThreadProgram<Operation, Result>,
    process: SteppedProcess,
    states: ThreadStates<Operation, Result>,
    results: readonly Result[],
    isAtBegin: boolean,
  ) {
    this.number = number;
    this.#program = program;
    this.#process = process;
    this.#states = states;
    this.results = results;
    this.pending = process.pending;
    this.isAtBegin = isAtBegin;
    this.knowledge = states.numberOf(`${results.length} ${process.key}`);
  }

  static startAll<Operation, Result>(
    start: (fields: readonly StepValue[] | undefined) => SteppedProcess,
    programs: readonly ThreadProgram<Operation, Result>[],
  ): SimulatedThread<Operation, Result>[] {
    const states = new ThreadStates<Operation, Result>();
    return programs.map((program, number) => {
      const process = start(program.fields);
      const [first] = program.calls;
      if (first) process.call(first.name, first.operands);
      return new SimulatedThread(number, program, process, states, [], true);
    });
  }

  /** The active call, or the next one. */
  get call(): ThreadCall<Operation, Result> | undefined {
    return this.#program.calls[this.results.length];
  }

  get fields(): readonly StepValue[] {
    return this.#process.fields;
  }

  /** Takes the pending step. Rethrows an error of the program. */
  step(memory: SimulatedMemory): {
    readonly event: StepEvent;
    readonly next: SimulatedThread<Operation, Result>;
  } {
    const effect = memory.perform(this.pending!);
    const next = this.after(effect.answer);
    const call = this.results.length;
    // Field by field: millions of these are made, and spreading an object is slow.
    const event = {
      answer: effect.answer,
      kind: effect.kind,
      at: effect.at,
      byteCount: effect.byteCount,
      before: effect.before,
      after: effect.after,
      wroteAt: effect.wroteAt,
      wroteByteCount: effect.wroteByteCount,
      cleared: effect.cleared,
      thread: this.number,
      call,
      step: this.pending!.step,
      first: this.isAtBegin,
      last: next.results.length > call,
    };
    return { event, next };
  }

  /** The state after the pending step, for this answer. */
  after(answer: StepValue): SimulatedThread<Operation, Result> {
    let next = this.#following.get(answer);
    if (next === undefined) {
      next = this.#resumed(answer);
      this.#following.set(answer, next);
    }
    return next;
  }

  #resumed(answer: StepValue): SimulatedThread<Operation, Result> {
    const process = this.#process.copy();
    process.resume(answer);
    const last = process.pending === undefined;
    const results = last
      ? [...this.results, this.call!.resultOf(process.result, process.fields)]
      : this.results;
    const following = last ? this.#program.calls[results.length] : undefined;
    if (following) process.call(following.name, following.operands);
    const next = new SimulatedThread(this.number, this.#program, process, this.#states, results, last);
    return this.#states.theOne(next, `${this.number} ${last} ${next.knowledge} ${results.join()}`);
  }
}
