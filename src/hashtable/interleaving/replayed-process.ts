/**
 * A process whose code is TypeScript over an interface of steps, so that shipped code can run
 * unchanged under the scheduler.
 *
 * It is stopped before a step by throwing, and restored by executing its call from the beginning
 * with the recorded results: the state of a thread is the list of those results. That is more than
 * it needs, so fewer states are equal than with `language/interpret.ts`; for a few calls it is
 * enough.
 *
 * **Requires** that steps are the only effects of the code that others can observe, and that it
 * depends only on operands, fields and results of steps.
 */
import type { StepValue } from '../language/interpret.js';
import type { Step } from './simulated-memory.js';
import type { SteppedProcess } from './simulated-thread.js';

/** Takes a step and returns its answer. */
export type Perform = (step: Step) => StepValue;

/** Executes a call; it may change the fields, which are its own copy. */
export type ReplayedCode = (
  perform: Perform,
  fields: StepValue[],
  name: string,
  operands: readonly StepValue[],
) => StepValue;

class Stopped extends Error {
  constructor(readonly step: Step) {
    super();
  }
}

export class ReplayedProcess implements SteppedProcess {
  readonly #code: ReplayedCode;
  #fields: readonly StepValue[];
  #call: { readonly name: string; readonly operands: readonly StepValue[] } | undefined;
  #answers: readonly StepValue[] = [];
  pending: Step | undefined;
  result: StepValue | undefined;

  constructor(code: ReplayedCode, fields: readonly StepValue[]) {
    this.#code = code;
    this.#fields = fields;
  }

  get fields(): readonly StepValue[] {
    return this.#fields;
  }

  get key(): string {
    const { name = '', operands = [] } = this.#call ?? {};
    return `${this.#fields} ${name} ${operands} ${this.#answers}`;
  }

  copy(): ReplayedProcess {
    const copy = new ReplayedProcess(this.#code, this.#fields);
    copy.#call = this.#call;
    copy.#answers = this.#answers;
    copy.pending = this.pending;
    copy.result = this.result;
    return copy;
  }

  call(name: string, operands: readonly StepValue[]): void {
    this.#call = { name, operands };
    this.#answers = [];
    this.#run();
  }

  resume(answer: StepValue): void {
    this.#answers = [...this.#answers, answer];
    this.#run();
  }

  /** Executes the call up to the first step without an answer, or to its end. */
  #run(): void {
    const { name, operands } = this.#call!;
    const answers = this.#answers;
    const fields = [...this.#fields];
    let answered = 0;
    const perform = (step: Step): StepValue => {
      if (answered === answers.length) throw new Stopped(step);
      return answers[answered++]!;
    };
    this.pending = undefined;
    try {
      this.result = this.#code(perform, fields, name, operands);
    } catch (thrown) {
      if (!(thrown instanceof Stopped)) throw thrown;
      this.pending = thrown.step;
      return;
    }
    this.#fields = fields;
    this.#call = undefined;
    this.#answers = [];
  }
}
