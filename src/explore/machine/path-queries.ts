/**
 * The queries of a running path. Each answer on which its course depends is recorded in its
 * history.
 *
 *     exploring     query    ──▶ memo, or solver ──▶ answer ──▶ history
 *     resuming      query    ──▶ the history of the earlier run ──▶ answer        the solver is not asked
 *
 * The memo has the answers of another run, or of the unsaved part of this one, to the same query:
 * of the same kind, about the same term, under the same conditions. All answers are recorded in it.
 *
 * Resuming ends where the earlier run stopped: at a query that it has not made, the instruction is
 * abandoned and executed again later.
 */
import { EMPTY_ASSIGNMENT, Evaluator } from '../../expr/evaluate.js';
import type { Term } from '../../expr/term.js';
import { joined, mixed, type Print, printOf, withValue } from '../../expr/term-print.js';
import type { ConstraintSet } from '../../solver/constraint-set.js';
import { NO, type Unknown, unknown, YES, type YesOrNo } from '../../solver/query-outcome.js';
import type { Solver, ValueAnswer } from '../../solver/solver.js';
import { isTimeUp } from '../../support/stop-flag.js';
import { assignmentOf, isNamedByDomains } from '../inputs/test-input.js';
import type { AnswerMemo, Remembered } from '../state/answer-memo.js';
import type { Frontier } from '../state/frontier.js';
import { type Answer, History } from '../state/history.js';
import { PathEnd } from '../state/path-end.js';
import type { Queries, Range } from '../state/running.js';
import type { State } from '../state/state.js';
import type { Known } from '../values/register-value.js';
import { type FloatCircuits, PATIENCE } from '../values/symbolic-floats.js';

/** Thrown out of an instruction that must be executed again when the exploration continues. */
export const INTERRUPTED: unique symbol = Symbol('interrupted');

/** The history of an earlier run does not match the program's behaviour. */
export class Diverged extends Error {
  override readonly name = 'Diverged';
}

const AS_BEFORE = unknown('as in the earlier run');

/** The kinds of queries, as in their fingerprints. */
const BRANCH = 1;
const MAY_BE_TRUE = 2;
const VALUE = 3;
const RANGE = 4;
const ON_TEST = 5;

/** The machine whose queries these are. */
export interface QuerySource {
  readonly solver: Solver;
  readonly state: State;
  readonly floats: FloatCircuits;
  readonly runner: { readonly isRunning: boolean; isDisabled: boolean; abandon(): never };
  /** The running state stops at the end of its current block. */
  interruptTurn(): void;
}

export class PathQueries implements Queries {
  readonly #machine: QuerySource;
  /** The histories that are followed while the states of an earlier run are restored. */
  followed: Frontier | undefined;
  memo: AnswerMemo | undefined;
  /** Queries that the memo has answered. */
  remembered = 0;
  /** Evaluates terms on an input whose path is followed (`seed-paths.ts`). */
  seed: Evaluator | undefined;
  /** After this time queries are cut short, and no conclusion is drawn from that. */
  deadline: number = Number.POSITIVE_INFINITY;

  constructor(machine: QuerySource) {
    this.#machine = machine;
  }

  /**
   * The feasible branches. If both are, `fork` is called next; with `asksMore`, other queries may
   * come before it, so that the answer is recorded. The result is unknown only if floating-point
   * circuits are involved; otherwise the path is abandoned.
   */
  branch(condition: Term, asksMore: boolean): 'always' | 'never' | 'both' | 'unknown' {
    const { solver, state, floats } = this.#machine;
    const followed = this.#followed();
    if (followed?.answer === 'true' || followed?.answer === 'false') return 'both';
    if (followed?.answer === 'yes' && asksMore) {
      this.moveTo(followed);
      return 'both';
    }
    if (followed !== undefined) return this.#follow(followed, isOneOf('always', 'never', 'unknown'));
    const usual = solver.limits;
    const isLimited = state.hasFloatCircuits || floats.isIn(condition);
    const { answer, reason = '' } = this.#ask(BRANCH, condition, () => {
      if (isLimited && usual.conflicts === 0) solver.limits = { ...usual, conflicts: PATIENCE };
      const found = solver.branch(state.constraints, condition);
      solver.limits = usual;
      return found.kind === 'unknown' ? this.#unknown(found) : { answer: found.kind };
    });
    if (answer === 'both') {
      if (asksMore) this.#write('yes');
      return 'both';
    }
    if (answer === 'unknown' && !isLimited) return this.giveUp(unknown(reason));
    return this.#write(answer as 'always' | 'never' | 'unknown');
  }

  /**
   * The histories of both sides of a fork; undefined for a side that the earlier run has completed.
   */
  fork(): { readonly whenTrue: History | undefined; readonly whenFalse: History | undefined } {
    const { history } = this.#machine.state;
    const followed = this.#followed();
    if (followed === undefined)
      return { whenTrue: new History('true', history), whenFalse: new History('false', history) };
    if (followed.answer !== 'true' && followed.answer !== 'false') throw new Diverged();
    return {
      whenTrue: followed.answer === 'true' ? followed : undefined,
      whenFalse: this.followed!.whenFalse(history),
    };
  }

  /** Whether the condition can hold on this path. */
  mayBeTrue(condition: Term): YesOrNo {
    const { solver, state } = this.#machine;
    const followed = this.#followed();
    if (followed !== undefined) {
      const answer = this.#follow(followed, isOneOf('yes', 'no', 'unknown'));
      return answer === 'yes' ? YES : answer === 'no' ? NO : AS_BEFORE;
    }
    const { answer, reason = '' } = this.#ask(MAY_BE_TRUE, condition, () => {
      const found = solver.mayBeTrue(state.constraints, condition);
      return found.kind === 'unknown' ? this.#unknown(found) : { answer: found.kind };
    });
    this.#write(answer as Answer);
    return answer === 'yes' ? YES : answer === 'no' ? NO : unknown(reason);
  }

  /**
   * One value of the term under these constraints, which are those of the path and exclude the
   * values `others`.
   */
  value(constraints: ConstraintSet, term: Term, others: readonly Known[] = []): ValueAnswer {
    const followed = this.#followed();
    if (followed !== undefined) {
      const answer = this.#follow(followed, isValue);
      if (answer === 'no') return { kind: 'unsat' };
      return answer === 'unknown' ? AS_BEFORE : { kind: 'value', value: answer };
    }
    if (this.seed !== undefined && constraints === this.#machine.state.constraints)
      return { kind: 'value', value: this.#write(this.seed.value(term)) };
    const { answer, reason = '' } = this.#ask(
      VALUE,
      term,
      () => {
        const found = this.#machine.solver.getValue(constraints, term);
        if (found.kind === 'unknown') return this.#unknown(found);
        return { answer: found.kind === 'value' ? found.value : 'no' };
      },
      others,
    );
    this.#write(answer as Answer);
    if (answer === 'no') return { kind: 'unsat' };
    return typeof answer === 'string' ? unknown(reason) : { kind: 'value', value: answer };
  }

  /** The least and the greatest value of the term; undefined if the solver gives up. */
  range(term: Term): Range | undefined {
    const { solver, state } = this.#machine;
    const followed = this.#followed();
    if (followed !== undefined) {
      const min = this.#follow(followed, isValue);
      if (typeof min === 'string') return undefined;
      const max = this.#follow(this.#followed()!, isValue);
      return typeof max === 'string' ? undefined : { min, max };
    }
    const { answer, max = answer } = this.#ask(RANGE, term, () => {
      const found = solver.range(state.constraints, term);
      if (found.kind === 'unknown') return this.#unknown(found);
      return found.kind === 'range' ? { answer: found.min, max: found.max } : { answer: 'unknown' };
    });
    if (typeof answer === 'string' || typeof max === 'string') {
      this.#write('unknown');
      return undefined;
    }
    this.#write(answer);
    this.#write(max);
    return { min: answer, max };
  }

  /** The value of a term on the test that the path would have if it ended here. */
  valueOnTest(): (term: Term) => Known {
    const machine = this.#machine;
    let evaluator: Evaluator | undefined;
    const evaluate = (term: Term): Known => {
      evaluator ??= new Evaluator(assignmentOf(machine, machine.state) ?? EMPTY_ASSIGNMENT);
      return evaluator.value(term);
    };
    // Byte domains give the same test, independently of earlier queries.
    if (isNamedByDomains(machine.state)) return evaluate;
    return term => {
      const followed = this.#followed();
      if (followed === undefined) {
        const { answer } = this.#ask(ON_TEST, term, () => ({ answer: evaluate(term) }));
        return this.#write(answer as Known);
      }
      const answer = this.#follow(followed, isValue);
      return typeof answer === 'string' ? 0 : answer;
    };
  }

  /** Abandons the path, which cannot continue without an answer. */
  giveUp({ reason }: Unknown): never {
    this.#interruptIfLate();
    throw new PathEnd({ kind: 'partial', reason: `the solver gave up: ${reason}` });
  }

  /** Records an answer in the history of the running state. */
  moveTo(history: History): void {
    const machine = this.#machine;
    const isLast = this.followed !== undefined && this.followed.after(history) === undefined;
    if (isLast) {
      // Compiled code might continue past the point where the earlier run stopped.
      if (machine.runner.isRunning) machine.runner.abandon();
      machine.runner.isDisabled = true;
      machine.interruptTurn();
    }
    machine.state.history = history;
  }

  /** The memo's answer, or else the solver's, which the memo stores. */
  #ask(
    kind: number,
    term: Term,
    ask: () => Omit<Remembered, 'queries'>,
    others: readonly Known[] = [],
  ): Omit<Remembered, 'queries'> {
    const { memo } = this;
    if (memo === undefined) return ask();
    const { solver, state } = this.#machine;
    let query: Print = joined(mixed(state.print, kind), printOf(term));
    for (const value of others) query = withValue(query, value);
    const known = memo.known(query);
    if (known !== undefined) {
      this.remembered += known.queries;
      return known;
    }
    const before = solver.queries;
    const answer = ask();
    memo.note(query, { ...answer, queries: solver.queries - before });
    return answer;
  }

  #unknown({ reason }: Unknown): Omit<Remembered, 'queries'> {
    this.#interruptIfLate();
    return { answer: 'unknown', reason };
  }

  /** The answer of the earlier run; undefined while exploring. */
  #followed(): History | undefined {
    const { followed } = this;
    if (followed === undefined) return undefined;
    const next = followed.after(this.#machine.state.history) ?? this.#interrupt();
    if (next.answer !== 'again') return next;
    this.moveTo(next);
    return this.#interrupt();
  }

  #follow<T extends Answer>(history: History, isAnswer: (answer: Answer) => answer is T): T {
    const { answer } = history;
    if (!isAnswer(answer)) throw new Diverged();
    this.moveTo(history);
    return answer;
  }

  #write<T extends Answer>(answer: T): T {
    const { state } = this.#machine;
    state.history = new History(answer, state.history);
    return answer;
  }

  #interruptIfLate(): void {
    if (!isTimeUp(this.deadline)) return;
    // Answers that this instruction has already are not those of its next attempt.
    if (this.followed === undefined) this.#write('again');
    this.#interrupt();
  }

  #interrupt(): never {
    const { runner } = this.#machine;
    if (runner.isRunning) runner.abandon();
    throw INTERRUPTED;
  }
}

function isValue(answer: Answer): answer is Known | 'no' | 'unknown' {
  return typeof answer !== 'string' || answer === 'no' || answer === 'unknown';
}

function isOneOf<T extends Answer>(...answers: readonly T[]): (answer: Answer) => answer is T {
  return (answer): answer is T => (answers as readonly Answer[]).includes(answer);
}
