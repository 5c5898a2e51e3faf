/**
 * Whether a history of concurrent calls could have come from calls made one after the other, each taking effect at some
 * moment between its begin and its end (Herlihy and Wing). The search is Wing and Gong's: choose a call that no
 * unchosen call precedes, apply it to the model, compare the result, go on; sets of chosen calls that failed before with the same
 * state of the model are not tried again (Lowe).
 */

export interface HistoryCall<Operation, Result> {
  readonly thread: number;
  readonly operation: Operation;
  readonly result: Result;
  /** When it began and ended: a call precedes another if it ended before the other began. */
  readonly from: number;
  readonly to: number;
}

/** The sequential meaning of operations. States are immutable. */
export interface SequentialModel<State, Operation, Result> {
  readonly initial: State;
  apply(state: State, operation: Operation): { readonly state: State; readonly result: Result };
  /** Equal for equal states. */
  keyOf(state: State): string;
}

/** The calls in an order that explains their results, or undefined if there is none. At most 31 calls. */
export function linearize<State, Operation, Result>(
  history: readonly HistoryCall<Operation, Result>[],
  model: SequentialModel<State, Operation, Result>,
): HistoryCall<Operation, Result>[] | undefined {
  const everything = 2 ** history.length - 1;
  const failed = new Set<string>();
  const order: HistoryCall<Operation, Result>[] = [];

  function search(chosen: number, state: State): boolean {
    if (chosen === everything) return true;
    const key = `${chosen} ${model.keyOf(state)}`;
    if (failed.has(key)) return false;
    const earliestEnd = Math.min(...history.filter((_, i) => !(chosen & (1 << i))).map(call => call.to));
    for (const [i, call] of history.entries()) {
      if (chosen & (1 << i) || call.from > earliestEnd) continue;
      const next = model.apply(state, call.operation);
      if (next.result !== call.result) continue;
      order.push(call);
      if (search(chosen | (1 << i), next.state)) return true;
      order.pop();
    }
    failed.add(key);
    return false;
  }

  return search(0, model.initial) ? order : undefined;
}
