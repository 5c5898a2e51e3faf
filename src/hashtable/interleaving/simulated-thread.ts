/**
 * A thread under the scheduler: a list of calls of the program's functions, and the state of the process that makes them. States are never changed: a
 * step makes a new one, so the scheduler goes back in time by taking an older one.
 */
import { type Interpreter, type PendingStep, Process, type Value } from '../language/interpret.js';
import type { StepName } from '../memory.js';
import type { Effect, SimulatedMemory } from './simulated-memory.js';

/** A call as its thread makes it, and what is to be told about it. */
export interface ThreadCall<Operation, Result> {
  readonly operation: Operation;
  readonly name: string;
  readonly operands: readonly Value[];
  readonly resultOf: (answer: Value | undefined) => Result;
}

export interface ThreadProgram<Operation, Result> {
  readonly calls: readonly ThreadCall<Operation, Result>[];
  /** The fields of the handle at the beginning; zeroes unless given. */
  readonly fields?: readonly Value[];
}

/** One atomic step, as it happened. */
export interface StepEvent extends Effect {
  readonly thread: number;
  /** The number of the thread's call it belongs to. */
  readonly call: number;
  readonly step: StepName;
  /** Whether the call began with it, and whether the call returned after it. */
  readonly first: boolean;
  readonly last: boolean;
}

export class SimulatedThread<Operation, Result> {
  readonly #number: number;
  readonly #program: ThreadProgram<Operation, Result>;
  readonly #process: Process;
  /** What its calls have answered. */
  readonly results: readonly Result[];
  /** The step that it takes next; undefined when it is through. */
  readonly pending: PendingStep | undefined;
  /** Whether a call begins with that. */
  readonly isAtBegin: boolean;
  /** Stands for all that the thread knows. */
  readonly key: string;

  private constructor(
    number: number,
    program: ThreadProgram<Operation, Result>,
    process: Process,
    results: readonly Result[],
    isAtBegin: boolean,
  ) {
    this.#number = number;
    this.#program = program;
    this.#process = process;
    this.results = results;
    this.pending = process.pending;
    this.isAtBegin = isAtBegin;
    this.key = `${results.length} ${process.key}`;
  }

  static start<Operation, Result>(
    number: number,
    interpreter: Interpreter,
    program: ThreadProgram<Operation, Result>,
  ): SimulatedThread<Operation, Result> {
    const process = new Process(interpreter, program.fields);
    const [first] = program.calls;
    if (first) process.call(first.name, first.operands);
    return new SimulatedThread(number, program, process, [], true);
  }

  /** The call that goes on, or begins next. */
  get call(): ThreadCall<Operation, Result> | undefined {
    return this.#program.calls[this.results.length];
  }

  get fields(): readonly Value[] {
    return this.#process.fields;
  }

  /** Takes the pending step. An error that the program throws comes out here. */
  step(memory: SimulatedMemory): {
    readonly event: StepEvent;
    readonly next: SimulatedThread<Operation, Result>;
  } {
    const effect = memory.perform(this.pending!);
    const process = this.#process.copy();
    process.resume(effect.answer);
    const last = process.pending === undefined;
    const results = last ? [...this.results, this.call!.resultOf(process.result)] : this.results;
    const following = last ? this.#program.calls[results.length] : undefined;
    if (following) process.call(following.name, following.operands);
    const { step } = this.pending!;
    const [thread, call, first] = [this.#number, this.results.length, this.isAtBegin];
    return {
      event: { ...effect, thread, call, step, first, last },
      next: new SimulatedThread(thread, this.#program, process, results, last),
    };
  }
}
