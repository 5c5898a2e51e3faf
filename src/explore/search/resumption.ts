/**
 * Restores the live states of an earlier run by executing the program again along their histories.
 *
 *     start ── run, answers from the history ──▶ fork ─┬─ both sides have live states: the state is copied, as when it first forked
 *                                                      └─ one has: the other is let go
 *     a state with all answers ── run as many instructions as it had ──▶ it is back
 *
 * So the common parts of states are executed once, there are no queries, and states share memory as
 * before.
 *
 * Compiled code does not stop at a given instruction. So the last part of a path is interpreted,
 * each state is restored at exactly its old position, and the search continues in the same order as
 * if it had never stopped.
 */
import { assert } from '../../support/assert.js';
import type { Machine } from '../machine/machine.js';
import { Diverged } from '../machine/path-queries.js';
import { Frontier } from '../state/frontier.js';
import type { History } from '../state/history.js';
import type { Ending } from '../state/path-end.js';
import type { State } from '../state/state.js';

/** The saved data of states; the n-th entry of each list belongs to the n-th state. */
export interface SavedStates {
  /** `frontier.ts` */
  readonly histories: string;
  readonly ids: readonly number[];
  readonly instructions: readonly number[];
  /** The numbers of the states that have just covered something new. */
  readonly fresh: readonly number[];
}

const NO_STATES = { text: '', order: [] };

/** The states to save, and the numbers assigned to them. */
export function saveStates(
  root: History,
  states: readonly State[],
): { readonly saved: SavedStates; readonly numbers: ReadonlyMap<State, number> } {
  const histories = states.map(({ history }) => history);
  const { text, order } = states.length === 0 ? NO_STATES : Frontier.of(root, histories).write();
  const ordered = order.map(i => states[i]!);
  const numbers = new Map(ordered.map((state, number) => [state, number]));
  const saved = {
    histories: text,
    ids: ordered.map(({ id }) => id),
    instructions: ordered.map(({ instructions }) => instructions),
    fresh: ordered.filter(({ coveredNew }) => coveredNew).map(state => numbers.get(state)!),
  };
  return { saved, numbers };
}

/** The number of instructions between two checks of the clock. */
const TURN = 1_000_000;

/**
 * The number of instructions at the end of a path that are interpreted: more than compiled code
 * executes without reaching a function or a loop.
 */
const INTERPRETED = 100_000;

export class Resumption {
  readonly #machine: Machine;
  readonly #saved: SavedStates;
  readonly #frontier: Frontier;
  readonly #waiting: State[];
  readonly #isInterpretOnly: boolean;
  /** Indexed by their numbers. */
  readonly states: State[];
  #count = 0;
  /** States that compiled code has run to their end, past their old position. */
  readonly ended: Map<State, Ending> = new Map();

  /** `first` is the program at its entry. */
  constructor(machine: Machine, first: State, saved: SavedStates) {
    const frontier = Frontier.read(first.history, saved.histories);
    const count = saved.ids.length;
    if (frontier === undefined || (count > 0 && frontier.states !== count)) throw new Diverged();
    this.#machine = machine;
    this.#saved = saved;
    this.#frontier = frontier;
    this.#waiting = count === 0 ? [] : [first];
    this.#isInterpretOnly = machine.runner.isDisabled;
    this.states = new Array<State>(count);
  }

  /** Continues until the time is over. Returns whether all states are restored. */
  runUntil(time: number): boolean {
    const { queries, runner } = this.#machine;
    queries.followed = this.#frontier;
    while (this.#waiting.length > 0 && performance.now() < time) this.#advance(this.#waiting.pop()!, time);
    queries.followed = undefined;
    runner.isDisabled = this.#isInterpretOnly;
    const isDone = this.#waiting.length === 0;
    if (isDone && this.#count < this.states.length) throw new Diverged();
    return isDone;
  }

  /** The number of restored states. */
  get count(): number {
    return this.#count;
  }

  /** How many more instructions these states have executed than when they were saved. */
  get ahead(): number {
    return this.states.reduce(
      (sum, { instructions }, i) => sum + instructions - this.#saved.instructions[i]!,
      0,
    );
  }

  #advance(state: State, time: number): void {
    const machine = this.#machine;
    const { runner } = machine;
    const { instructions } = state;
    const number = this.#frontier.stateAt(state.history);
    const left = number === undefined ? TURN : this.#saved.instructions[number]! - instructions;
    if (number !== undefined && left <= 0) {
      this.#isBack(state, number);
      return;
    }
    const isCompiled = number === undefined || left > INTERPRETED;
    runner.isDisabled = this.#isInterpretOnly || !isCompiled;
    const most = number !== undefined && isCompiled ? left - INTERPRETED : left;
    const stopAt = machine.instructions + Math.min(most, TURN);
    const ending = machine.run(state, Number.POSITIVE_INFINITY, stopAt, time);
    const { forked } = machine;
    machine.forked = [];
    if (ending === undefined) {
      const isStuck = number !== undefined && state.instructions === instructions && performance.now() < time;
      if (isStuck) throw new Diverged();
      this.#waiting.push(state);
    } else if (number !== undefined) {
      this.ended.set(state, ending);
      this.#isBack(state, number);
    } else if (forked.length === 0) throw new Diverged();
    this.#waiting.push(...forked);
  }

  #isBack(state: State, number: number): void {
    assert(this.states[number] === undefined, 'a state comes back once');
    state.id = this.#saved.ids[number]!;
    this.states[number] = state;
    this.#count++;
  }
}
