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

import { mixed, NO_PRINT, type Print, withValue } from '../../expr/term-print.js';
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
  /** One of the values of a term. */
  | Known;

export class History {
  readonly answer: Answer;
  readonly earlier: History | undefined;
  /**
   * An index assigned by the code that numbers these nodes; valid only if that list has this node
   * there.
   */
  number = -1;
  #trail: Print | undefined;

  constructor(answer: Answer, earlier: History | undefined) {
    this.answer = answer;
    this.earlier = earlier;
  }

  /** The fingerprint of the path. */
  get trail(): Print {
    return this.#trail ?? this.#computeTrail();
  }

  #computeTrail(): Print {
    const { earlier } = this;
    if (earlier !== undefined && earlier.#trail !== undefined) {
      this.#trail = extended(earlier.#trail, this.answer);
      return this.#trail;
    }
    // Histories may be too long for recursion.
    const unknown: History[] = [];
    let known: History = this;
    while (known.#trail === undefined && known.earlier !== undefined) {
      unknown.push(known);
      known = known.earlier;
    }
    let trail = known.#trail ?? NO_PRINT;
    for (const history of unknown.reverse()) {
      trail = extended(trail, history.answer);
      history.#trail = trail;
    }
    return trail;
  }

  /** From here on the path differs from the one of this trail in an earlier run. */
  leave(): void {
    this.#trail = mixed(this.trail, LEFT);
  }

  /** The history of a path without any answers yet. */
  static start(): History {
    return new History('unknown', undefined);
  }
}

const TRUE = 1;
const FALSE = 2;
const VALUE = 3;
const LEFT = 4;

function extended(trail: Print, answer: Answer): Print {
  if (answer === 'true') return mixed(trail, TRUE);
  if (answer === 'false') return mixed(trail, FALSE);
  return typeof answer === 'string' ? trail : withValue(mixed(trail, VALUE), answer);
}

/** The trails of both sides of a fork. */
export function sidesOf(trail: Print): [whenTrue: Print, whenFalse: Print] {
  return [mixed(trail, TRUE), mixed(trail, FALSE)];
}
