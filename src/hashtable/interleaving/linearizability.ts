/**
 * Decides during a run whether the calls of several threads are linearisable: whether they could
 * have been made one after the other, each taking effect at some moment between its beginning and
 * its end (Herlihy and Wing).
 *
 * The monitor maintains all explanations at once: an *explanation* is a state of the sequential
 * model and, for each active call, whether it has taken effect and with which result. When a call
 * begins, the explanations in which active calls have taken effect, in every order, are added. When
 * a call ends, the explanations in which it has not taken effect, or with another result, are
 * removed. If none is left, the history is not linearisable.
 *
 * The set of explanations is all that matters about the past. Sets are numbered, so that a search
 * over states can compare them; a check of complete histories would not allow that.
 *
 * **Invariants.** Sets are closed: every call that can take effect has done so in some explanation
 * of the set.
 */

/** The sequential meaning of operations. States are immutable. */
export interface SequentialModel<State, Operation, Result> {
  readonly initial: State;
  apply(state: State, operation: Operation): { readonly state: State; readonly result: Result };
  /** Equal for equal states. */
  keyOf(state: State): string;
  /** For messages. */
  describe(operation: Operation): string;
}

interface Going<Operation, Result> {
  readonly operation: Operation;
  /** Set once it has taken effect. */
  readonly effect?: { readonly result: Result };
}

interface Explanation<State, Operation, Result> {
  readonly state: State;
  /** Indexed by thread. */
  readonly going: readonly (Going<Operation, Result> | undefined)[];
}

export class LinearizabilityMonitor<State, Operation, Result> {
  readonly #model: SequentialModel<State, Operation, Result>;
  readonly #sets: (readonly Explanation<State, Operation, Result>[])[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #transitions = new Map<string, number | undefined>();

  /** The number of the set before any call. */
  readonly initial: number;

  constructor(model: SequentialModel<State, Operation, Result>, threads: number) {
    this.#model = model;
    this.initial = this.#numberOf([{ state: model.initial, going: new Array(threads).fill(undefined) }])!;
  }

  /** A thread begins a call. `name` stands for the operation. */
  begin(set: number, thread: number, operation: Operation, name: string): number {
    return this.#transition(`${set} ${thread} ${name}`, () => {
      const going = { operation };
      const begun = this.#sets[set]!.map(explanation => ({
        ...explanation,
        going: explanation.going.with(thread, going),
      }));
      return this.#closed(begun);
    })!;
  }

  /** A call of a thread ends; undefined if no explanation is left. */
  end(set: number, thread: number, result: Result): number | undefined {
    return this.#transition(`${set} ${thread} = ${result}`, () =>
      this.#sets[set]!.filter(({ going }) => going[thread]?.effect?.result === result).map(explanation => ({
        ...explanation,
        going: explanation.going.with(thread, undefined),
      })),
    );
  }

  /** The states of the model that explain the history, when no call is active. */
  statesOf(set: number): readonly State[] {
    return this.#sets[set]!.map(({ state }) => state);
  }

  #transition(key: string, run: () => readonly Explanation<State, Operation, Result>[]): number | undefined {
    if (!this.#transitions.has(key)) this.#transitions.set(key, this.#numberOf(run()));
    return this.#transitions.get(key);
  }

  #closed(
    explanations: readonly Explanation<State, Operation, Result>[],
  ): Explanation<State, Operation, Result>[] {
    const found = new Map(explanations.map(explanation => [this.#keyOf(explanation), explanation]));
    for (const { state, going } of found.values())
      for (const [thread, call] of going.entries()) {
        if (call === undefined || call.effect !== undefined) continue;
        const after = this.#model.apply(state, call.operation);
        const done = { ...call, effect: { result: after.result } };
        const next = { state: after.state, going: going.with(thread, done) };
        found.set(this.#keyOf(next), next);
      }
    return [...found.values()];
  }

  #keyOf({ state, going }: Explanation<State, Operation, Result>): string {
    const calls = going.map(call => (call === undefined ? '' : call.effect ? `=${call.effect.result}` : '?'));
    return `${this.#model.keyOf(state)} ${calls.join()}`;
  }

  #numberOf(explanations: readonly Explanation<State, Operation, Result>[]): number | undefined {
    if (explanations.length === 0) return undefined;
    const operations = explanations[0]!.going.map(call => call && JSON.stringify(call.operation));
    const keys = [...new Set(explanations.map(explanation => this.#keyOf(explanation)))].sort();
    const key = `${operations.join()} ${keys.join(';')}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#sets.push(explanations) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}
