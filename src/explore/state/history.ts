/**
 * The history of a path: the solver's answers on which its course depends, the last one first, in
 * lists that paths share up to their fork.
 *
 *     (start) ◀── true ◀── 17 ◀── false ◀── state 4
 *                  ▲
 *                  └── always ◀── true ◀── state 2
 *
 * Execution is deterministic except for the solver, whose choice among several values depends on
 * all earlier queries. So these answers and the number of instructions suffice to restore a state
 * in another process (`frontier.ts`): a few bytes, where its memory may be megabytes.
 *
 * The *trail* of a path is a fingerprint of the sides that it took and of the values to which terms
 * were concretized. It identifies the path in every run of the program, in any order of execution.
 * Conditions that the solver decided follow from the program and are not part of it.
 */

import { mix1, mix2, mixed, NO_PRINT, type Print, withValue } from '../../expr/term-print.js';
import type { Known } from '../values/register-value.js';

export type Answer =
  /** The path forked, and this is its side. */
  | 'true'
  | 'false'
  /** A condition with only one feasible side. */
  | 'always'
  | 'never'
  /** Whether something is possible. */
  | 'yes'
  | 'no'
  /** The solver gave up, and the path continues without an answer. */
  | 'unknown'
  /** A query had no time left: the instruction starts again, and repeats its queries. */
  | 'again'
  /** One of the values of a term. */
  | Known;

export class History implements Print {
  readonly answer: Answer;
  readonly earlier: History | undefined;
  /**
   * An index assigned by the code that numbers these nodes; valid only if that list has this node
   * there.
   */
  number = -1;
  /** The trail, once it is known; zeros before. */
  print1 = 0;
  print2 = 0;

  constructor(answer: Answer, earlier: History | undefined) {
    this.answer = answer;
    this.earlier = earlier;
  }

  /**
   * The fingerprint of the path: the history itself, which has it afterwards, because every path of
   * a run with a journal needs one. Whatever outlives the path needs a copy.
   */
  get trail(): Print {
    if (!this.#hasTrail) this.#computeTrail();
    return this;
  }

  get #hasTrail(): boolean {
    return this.print1 !== 0 || this.print2 !== 0;
  }

  #computeTrail(): void {
    const isEarlierKnown = this.earlier === undefined || this.earlier.#hasTrail;
    if (isEarlierKnown) {
      this.#extend();
      return;
    }
    // Histories may be too long for recursion.
    const unknown: History[] = [];
    let known: History = this;
    while (!known.#hasTrail) {
      unknown.push(known);
      if (known.earlier === undefined) break;
      known = known.earlier;
    }
    for (let i = unknown.length - 1; i >= 0; i--) unknown[i]!.#extend();
  }

  /** Sets the trail; that of the earlier history is known. */
  #extend(): void {
    const { answer, earlier } = this;
    const { print1, print2 } = earlier ?? NO_PRINT;
    if (earlier === undefined) this.#set(NO_PRINT);
    else if (answer === 'true' || answer === 'false') {
      const side = answer === 'true' ? TRUE : FALSE;
      this.print1 = mix1(print1, side) | 0;
      this.print2 = mix2(print2, side) | 0;
    } else if (typeof answer === 'string') this.#set(earlier);
    else this.#set(withValue(mixed(earlier, VALUE), answer));
  }

  #set({ print1, print2 }: Print): void {
    this.print1 = print1;
    this.print2 = print2;
  }

  /** From here on the path differs from the one of this trail in an earlier run. */
  leave(): void {
    this.#set(mixed(this.trail, LEFT));
  }

  /** The history of a path without any answers yet. */
  static start(): History {
    return new History('unknown', undefined);
  }
}

/** What the sides of a fork add to the trail. */
export const TRUE = 1;
export const FALSE = 2;
const VALUE = 3;
const LEFT = 4;

/** The trails of both sides of a fork. */
export function sidesOf(trail: Print): [whenTrue: Print, whenFalse: Print] {
  return [mixed(trail, TRUE), mixed(trail, FALSE)];
}
