/**
 * The history of a path: the answers of the solver that its course depends on, the last one first,
 * in lists that paths share up to where they forked.
 *
 *     (start) ◀── true ◀── 17 ◀── false ◀── state 4
 *                  ▲
 *                  └── always ◀── true ◀── state 2
 *
 * Running a program is deterministic but for what the solver says, and which of several values it
 * names depends on all that it was asked before. So these answers, and the number of instructions,
 * are all that is needed to bring a state back in another process (`frontier.ts`): a few bytes,
 * where its memory may be megabytes.
 *
 * The *trail* of a path is a fingerprint of the sides that it took and of the values that it was
 * given. It names the path in every run of the program, in whichever order paths are run: what the
 * solver has decided follows from the program, and is no part of it.
 */

import { mixed, NO_PRINT, type Print, withValue } from '../../expr/term-print.js';
import type { Known } from '../values/register-value.js';

export type Answer =
  /** The path forked, and this is its side. */
  | 'true'
  | 'false'
  /** A condition that the solver has decided. */
  | 'always'
  | 'never'
  /** Whether something is possible. */
  | 'yes'
  | 'no'
  /** The solver gave up, and the path goes on without an answer. */
  | 'unknown'
  /** One of the values of a term. */
  | Known;

export class History {
  readonly answer: Answer;
  readonly earlier: History | undefined;
  /**
   * The place in the list of who numbers these nodes; means nothing unless this node is in that
   * place.
   */
  number = -1;
  #trail: Print | undefined;

  constructor(answer: Answer, earlier: History | undefined) {
    this.answer = answer;
    this.earlier = earlier;
  }

  /** Which path this is. */
  get trail(): Print {
    return this.#trail ?? this.#computeTrail();
  }

  #computeTrail(): Print {
    const { earlier } = this;
    if (earlier !== undefined && earlier.#trail !== undefined) {
      this.#trail = extended(earlier.#trail, this.answer);
      return this.#trail;
    }
    // Histories may be longer than the stack is deep.
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

  /** From here on it is another path than the one of this trail in an earlier run. */
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

/** The trails of both sides of a fork of the path of this trail. */
export function sidesOf(trail: Print): [whenTrue: Print, whenFalse: Print] {
  return [mixed(trail, TRUE), mixed(trail, FALSE)];
}
