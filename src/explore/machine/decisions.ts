/**
 * The decisions of a path: which branch it takes, which values symbolic terms are concretized to,
 * and how it ends.
 *
 * A handler that meets a symbolic condition calls `decide`. If both branches are feasible, the
 * state is copied as it was at the beginning of the instruction, the copy assumes the negation, and
 * the original continues:
 *
 *     decide(c) ── always, never ──▶ the answer
 *               └─ both ──▶ this state: c, answer true      copy: not c, begins the same instruction again
 *
 * So there is one kind of fork for branches, symbolic pointers, divisors and string functions, and
 * a handler is written as if all values were concrete. **Invariant:** a handler decides,
 * concretizes and fails before it changes anything.
 */

import { EMPTY_ASSIGNMENT, Evaluator } from '../../expr/evaluate.js';
import { Op, type Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import { forEachTerm } from '../../expr/walk.js';
import type { AnyCode } from '../../findings/codes.js';
import type { FindingFacts, ObjectFacts } from '../../findings/facts.js';
import type { Finding, Note } from '../../findings/finding.js';
import { threadName } from '../../findings/words/thread-words.js';
import type { LabelRequest } from '../../labels/flow-rules.js';
import type { ConstraintSet } from '../../solver/constraint-set.js';
import { unknown } from '../../solver/query-outcome.js';
import type { Solver } from '../../solver/solver.js';
import { PathFlows } from '../access/labelled-values.js';
import { requireDefined } from '../access/undefined-use.js';
import { assignmentOf } from '../inputs/test-input.js';
import { lineOf, type Trace } from '../memory/call-trace.js';
import type { ObjectState } from '../memory/object-state.js';
import { Unwritten } from '../memory/unwritten.js';
import type { Choice } from '../state/choices.js';
import { makeFinding, objectFacts } from '../state/make-finding.js';
import { type Ending, PathEnd } from '../state/path-end.js';
import type { Decisions, Flows, PluginCalls } from '../state/running.js';
import type { State } from '../state/state.js';
import { floatFromBits, type Known, known, type Scalar } from '../values/register-value.js';
import { FloatCircuits } from '../values/symbolic-floats.js';
import { PathQueries, type QuerySource } from './path-queries.js';

/** The largest number of objects per path on which a pointer without a base is tried. */
const MAXIMUM_RESOLUTIONS = 256;

/** The number of values of a symbolic address or length that are explored one by one. */
const FEW = 16;

export abstract class PathDecisions implements Decisions, QuerySource {
  readonly terms: Terms;
  readonly solver: Solver;
  readonly unwritten: Unwritten;
  readonly floats: FloatCircuits;
  readonly queries: PathQueries = new PathQueries(this);
  /** The running state. */
  state!: State;
  plugins: PluginCalls | undefined;
  flows: Flows = new PathFlows();
  /** States forked by `decide` since the explorer last collected them. */
  forked: State[] = [];
  nextStateId = 1;
  /** Called at each fork: the condition holds in the first state, not in the second. */
  onFork: ((state: State, other: State, condition: Term) => void) | undefined;
  /** Checks that are turned off: the path continues after such an error if a machine could. */
  unchecked: ReadonlySet<AnyCode> = new Set();
  abstract readonly runner: QuerySource['runner'];

  constructor(terms: Terms, solver: Solver) {
    this.terms = terms;
    this.solver = solver;
    this.unwritten = new Unwritten(terms);
    this.floats = new FloatCircuits(terms);
  }

  /** Called before the first path begins. */
  followLabels(request: LabelRequest): void {
    this.flows = new PathFlows(request);
  }

  abstract interruptTurn(): void;
  /** Instructions executed in the current time slice. */
  protected abstract instructionsOfRun(): number;
  abstract trace(): Trace;

  // -------------------------------------------------------------------------------------- queries

  /**
   * Whether the condition holds. If both are possible, this state continues with true and a copy
   * with false.
   */
  decide(condition: Term): boolean {
    if (condition.isConst) return condition.isTrue;
    const { state } = this;
    const quick = state.domains.decide(condition);
    switch (quick === 'unknown' ? this.#branch(condition) : quick) {
      case 'always':
        return true;
      case 'never':
        return false;
      case 'unknown':
        return this.#settle(condition);
      case 'both': {
        if (this.runner.isRunning) this.runner.abandon();
        const { constraints } = state;
        requireDefined(this, condition);
        if (this.floats.isIn(condition)) state.hasFloatCircuits = true;
        // The condition may have only one value on the inputs for which it is defined.
        if (state.constraints !== constraints) return this.decide(condition);
        const { whenTrue, whenFalse } = this.queries.fork();
        if (state.isForkingOff) this.note('a branch where forking is switched off was concretized');
        else state.depth++;
        if (whenFalse !== undefined && !state.isForkingOff) {
          const other = state.fork(this.nextStateId++);
          other.instructions += this.instructionsOfRun();
          other.add(this.terms.not(condition));
          other.history = whenFalse;
          other.from = whenFalse;
          this.forked.push(other);
          this.onFork?.(state, other, condition);
        }
        if (whenTrue === undefined) throw new PathEnd({ kind: 'unwanted' });
        state.add(condition);
        if (!state.isForkingOff) state.from = whenTrue;
        this.queries.moveTo(whenTrue);
        return true;
      }
    }
  }

  #branch(condition: Term): 'always' | 'never' | 'both' | 'unknown' {
    const { domains } = this.state;
    return this.queries.branch(domains.inBrief(condition), this.unwritten.isIn(condition));
  }

  /**
   * Forks into two feasible states that no input decides: this state continues; the copy is changed
   * first and executes the instruction again.
   */
  forkFreely(change: (other: State) => void): void {
    if (this.runner.isRunning) this.runner.abandon();
    const { state } = this;
    const { whenTrue, whenFalse } = this.queries.fork();
    state.depth++;
    if (whenFalse !== undefined) {
      const other = state.fork(this.nextStateId++);
      other.instructions += this.instructionsOfRun();
      change(other);
      other.history = whenFalse;
      other.from = whenFalse;
      this.forked.push(other);
      this.onFork?.(state, other, this.terms.true);
    }
    if (whenTrue === undefined) throw new PathEnd({ kind: 'unwanted' });
    state.from = whenTrue;
    this.queries.moveTo(whenTrue);
  }

  /**
   * Decides a condition that is too hard because of floating-point circuits: the inputs on which it
   * depends are concretized.
   */
  #settle(condition: Term): boolean {
    const inputs: Term[] = [];
    forEachTerm([condition], term => {
      if (term.op === Op.Var || term.op === Op.Read) inputs.push(term);
    });
    for (const input of inputs)
      this.choose(input, this.valueOf(input), 'an input of a hard query about floats');
    const value = this.valueOf(condition);
    return value === 1;
  }

  /**
   * Restricts the path to inputs for which the condition holds; the path ends silently if there are
   * none.
   */
  assume(condition: Term): void {
    const answer = this.queries.mayBeTrue(this.state.domains.inBrief(condition));
    if (answer.kind === 'unknown') this.queries.giveUp(answer);
    if (answer.kind === 'no') throw new PathEnd({ kind: 'unwanted' });
    this.state.add(condition);
  }

  /** One value that the term can have on this path. */
  valueOf(term: Term, constraints: ConstraintSet = this.state.constraints): Known {
    const answer = this.queries.value(constraints, term);
    if (answer.kind === 'value') return answer.value;
    return this.queries.giveUp(answer.kind === 'unknown' ? answer : unknown('no value is possible'));
  }

  /** Concretizes a value; `what` is noted, because the other values are not explored. */
  concretize(value: Scalar, what: Choice): Known {
    if (typeof value !== 'object') return value;
    const { terms, state } = this;
    const simpler = known(state.constraints.simplify(value));
    if (typeof simpler !== 'object') return simpler;
    requireDefined(this, simpler);
    const chosen = this.valueOf(simpler);
    const others = this.queries.mayBeTrue(
      terms.not(terms.eq(simpler, terms.constant(simpler.width, chosen))),
    );
    return others.kind === 'no' ? chosen : this.choose(simpler, chosen, what);
  }

  /** Restricts the path to one value of a term, and notes that. */
  choose(term: Term, value: Known, what: Choice): Known {
    const { terms, state } = this;
    state.add(terms.eq(term, terms.constant(term.width, value)));
    this.note(`${what} was concretized`);
    return value;
  }

  /** Notes that the path covers less than everything that could happen from here on, and where. */
  note(what: string): void {
    const { state } = this;
    if (!state.notes.includes(what)) state.notes = [...state.notes, what];
    const place = lineOf(this.trace());
    const isNew = !state.choices.some(({ file, line }) => file === place?.file && line === place.line);
    if (place !== undefined && isNew) state.choices = [...state.choices, place];
  }

  /**
   * Forks a path for each value that a pointer can have; bounded, like every fork over pointers.
   */
  eachValue(value: Scalar): Known {
    if (typeof value !== 'object') return value;
    const simpler = known(this.state.constraints.simplify(value));
    if (typeof simpler !== 'object') return simpler;
    this.countResolution();
    const { terms } = this;
    const chosen = this.valueOf(simpler);
    if (this.decide(terms.eq(simpler, terms.constant(simpler.width, chosen)))) return chosen;
    return this.eachValue(simpler);
  }

  /** Forks a path for each value if there are few; otherwise concretizes it, which is noted. */
  fewValues(value: Scalar, what: Choice): Known {
    if (typeof value !== 'object') return value;
    const { terms, state } = this;
    const simpler = known(state.constraints.simplify(value));
    if (typeof simpler !== 'object') return simpler;
    requireDefined(this, simpler);
    let others = state.constraints;
    const found: Known[] = [];
    while (found.length <= FEW) {
      const answer = this.queries.value(others, simpler, found);
      if (answer.kind === 'unknown') return this.concretize(simpler, what);
      // An excluded value is returned only if no other is left.
      if (answer.kind !== 'value' || found.includes(answer.value)) break;
      found.push(answer.value);
      others = others.add(terms.not(terms.eq(simpler, terms.constant(simpler.width, answer.value))));
    }
    if (found.length === 0 || found.length > FEW) return this.concretize(simpler, what);
    // The first value that the solver returns depends on earlier queries.
    found.sort((a, b) => (a < b ? -1 : 1));
    for (const candidate of found.slice(0, -1)) {
      if (this.decide(terms.eq(simpler, terms.constant(simpler.width, candidate)))) return candidate;
    }
    return found.at(-1)!;
  }

  /** The float or double in a register; concretized if it has many values. */
  float(bits: number, value: Scalar): number {
    if (typeof value !== 'object') return value as number;
    return floatFromBits(bits, this.fewValues(value, 'a symbolic float'));
  }

  /**
   * One value for something that the rest of the path does not depend on: its value on the path's
   * test, if nothing more is decided.
   */
  concretizeQuietly(value: Scalar): Known {
    return typeof value === 'object' ? this.queries.valueOnTest()(value) : value;
  }

  /** Evaluates terms on the test that the path would have if it ended here. */
  runOnTest(): Evaluator {
    return new Evaluator(assignmentOf(this, this.state) ?? EMPTY_ASSIGNMENT);
  }

  countResolution(): void {
    if (++this.state.resolutions > MAXIMUM_RESOLUTIONS)
      throw new PathEnd({ kind: 'partial', reason: 'a pointer may point to too many objects' });
  }

  // ------------------------------------------------------------------------------------ endings

  isUnchecked(code: AnyCode): boolean {
    return this.unchecked.has(code);
  }

  /**
   * Ends the path with a finding, at the current instruction unless another is given. If the check
   * is turned off, the path is abandoned; handlers that can continue after the error test
   * `isUnchecked` first.
   */
  fail(facts: FindingFacts, at: Trace = this.trace()): never {
    const finding = this.#withThread(makeFinding(facts, at), facts);
    const { code } = finding;
    if (!this.isUnchecked(code)) throw new PathEnd({ kind: 'finding', finding });
    const reason = `a path ends at an error that is not checked (\`${code}\`)`;
    throw new PathEnd({ kind: 'partial', reason });
  }

  /** Adds the thread in which the error occurred, and the thread that freed the block. */
  #withThread(finding: Finding, facts: FindingFacts): Finding {
    const { threads } = this.state;
    if (threads?.hasBegun !== true || facts.kind === 'race' || facts.kind === 'deadlock') return finding;
    const { id, created } = threads.current;
    const place = created && lineOf(created);
    const freed = facts.kind === 'access' && finding.object?.freed !== undefined ? facts.address : undefined;
    const by = freed === undefined ? undefined : threads.races.freedBy(Number(freed));
    const notes: Note[] = [
      {
        message: `this is ${threadName({ id })}${by === undefined ? '' : `; ${threadName({ id: by })} freed the block`}`,
      },
      ...(place ? [{ message: `${threadName({ id })} was created here`, location: place }] : []),
    ];
    return { ...finding, notes: [...(finding.notes ?? []), ...notes] };
  }

  /** The facts of an object on the test that the path would have if it ended here. */
  factsOf(object: ObjectState): ObjectFacts {
    const { length, bytes } = object.info;
    return objectFacts(object, length === undefined ? bytes : Number(this.onTest(length)));
  }

  /** The value of a register on that test. */
  onTest(value: Scalar): Known {
    return typeof value === 'object' ? this.runOnTest().value(value) : value;
  }

  end(ending: Ending): never {
    throw new PathEnd(ending);
  }
}
