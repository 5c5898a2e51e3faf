/**
 * What a path was told: the answers that its course depends on, the last one first, in lists that
 * paths share up to where they forked.
 *
 *     (start) ◀── true ◀── 17 ◀── false ◀── state 4
 *                  ▲
 *                  └── always ◀── true ◀── state 2
 *
 * Running a program is deterministic but for what the solver says, and which of several values it
 * names depends on all that it was asked before. So these answers, and the number of instructions,
 * are all that is needed to bring a state back in another process (`frontier.ts`): a few bytes,
 * where its memory may be megabytes.
 */
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

  constructor(answer: Answer, earlier: History | undefined) {
    this.answer = answer;
    this.earlier = earlier;
  }

  /** Of a path that was told nothing yet. */
  static start(): History {
    return new History('unknown', undefined);
  }
}
