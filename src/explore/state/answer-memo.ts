/** Answers of another run, or of the first part of this one, by the fingerprint of the query. */
import type { Print } from '../../expr/term-print.js';
import type { Answer } from './history.js';

export interface Remembered {
  /** `both`: both branches are feasible. For a range, its least value. */
  readonly answer: Answer | 'both';
  /** The greatest value of a range. */
  readonly max?: Answer;
  /** Why the solver gave up. */
  readonly reason?: string;
  /** The number of queries that it took. */
  readonly queries: number;
}

export interface AnswerMemo {
  known(query: Print): Remembered | undefined;
  note(query: Print, answer: Remembered): void;
}
