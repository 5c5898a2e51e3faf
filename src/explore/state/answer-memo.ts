/**
 * What a run remembers of another one, or of its own first part, as far as paths ask for it while
 * they run: answers by the fingerprint of the question.
 */
import type { Print } from '../../expr/term-print.js';
import type { Answer } from './history.js';

export interface Remembered {
  /** `both`: the path can go both ways. Of a range, its least value. */
  readonly answer: Answer | 'both';
  /** The greatest value of a range. */
  readonly max?: Answer;
  /** Why the solver gave up. */
  readonly reason?: string;
  /** How many queries it took. */
  readonly queries: number;
}

export interface AnswerMemo {
  known(question: Print): Remembered | undefined;
  note(question: Print, answer: Remembered): void;
}
