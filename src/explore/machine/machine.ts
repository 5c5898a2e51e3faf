/**
 * The interpreter: runs one state until it ends, forks, or has used up its turn.
 *
 * A handler that meets a symbolic condition calls `decide`. If both ways are open, the state is copied as it stands
 * at the beginning of the instruction, the copy is told the opposite, and the original goes on:
 *
 *     decide(c) ── always, never ──▶ the answer
 *               └─ both ──▶ this state: c, answer true      copy: not c, begins the same instruction again
 *
 * So there is one kind of fork for branches, symbolic pointers, divisors and string functions, and a handler is written as if
 * everything were known. **Invariant:** a handler decides, concretizes and fails before it changes anything.
 */

import { EMPTY_ASSIGNMENT, Evaluator } from '../../expr/evaluate.js';
import { Op, type Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import { forEachTerm } from '../../expr/walk.js';
import type { FindingCode } from '../../findings/codes.js';
import type { FindingFacts, ObjectFacts } from '../../findings/facts.js';
import type { ModelHost } from '../../host/model-host.js';
import type { ConstraintSet } from '../../solver/constraint-set.js';
import { unknown } from '../../solver/outcome.js';
import type { Solver } from '../../solver/solver.js';
import { assert } from '../../support/assert.js';
import { endLocals, type LocalKind } from '../access/locals.js';
import { Strays } from '../access/strays.js';
import { requireDefined } from '../access/undefined-use.js';
import { Counter } from '../compile/counter.js';
import { Runner } from '../compile/runner.js';
import { assignmentOf } from '../inputs/test-input.js';
import { epoch } from '../memory/epoch.js';
import type { Memory } from '../memory/memory.js';
import type { ObjectState } from '../memory/object-state.js';
import type { Contents, Origin } from '../memory/origin.js';
import type { Owner } from '../memory/owner.js';
import { lineOf, type Trace } from '../memory/trace.js';
import { Unwritten } from '../memory/unwritten.js';
import type { Program } from '../program/program.js';
import { type DecodedBlock, type DecodedFunction, type Given, NOTHING_GIVEN } from '../state/decoded.js';
import { makeFinding, objectFacts } from '../state/finding.js';
import { Frame, isAtTurnPoint, MAXIMUM_CALL_DEPTH } from '../state/frame.js';
import { History } from '../state/history.js';
import { type Ending, PathEnd } from '../state/path-end.js';
import type { Running } from '../state/running.js';
import { State, type SymbolicStart } from '../state/state.js';
import { ByteConditions, ByteDomains } from '../values/byte-domains.js';
import { FloatCircuits } from '../values/symbolic-floats.js';
import { floatFromBits, type Known, known, type Scalar, type Value } from '../values/value.js';
import type { ExternalFunctions } from './external.js';
import { INTERRUPTED, Questions } from './questions.js';

/** A pointer without a base is tried on at most this many objects of one path. */
const MAXIMUM_RESOLUTIONS = 256;

/** So many blocks are run before the clock is looked at. */
const BLOCKS_PER_LOOK = 256;

/** So many values of a symbolic place or length are explored one by one. */
const FEW = 16;

export class Machine implements Running {
  readonly program: Program;
  readonly terms: Terms;
  readonly solver: Solver;
  readonly unwritten: Unwritten;
  readonly floats: FloatCircuits;
  readonly strays: Strays = new Strays();
  readonly symbolicStart: SymbolicStart;
  /** The state that is running. */
  state!: State;
  /** Copies made by `decide` since the explorer last looked. */
  forked: State[] = [];
  readonly runner: Runner;
  readonly questions: Questions = new Questions(this);
  coveredBlocks = 0;
  nextStateId = 1;
  /** Was the last turn stopped before it was over? */
  isInterrupted = false;
  /** Told of each fork: the condition holds on the first state, not on the second. */
  onFork: ((state: State, other: State) => void) | undefined;
  /** What calls functions that the program does not have; undefined unless that is allowed. */
  external: ExternalFunctions | undefined;
  /** Errors that are not looked for: where a machine could go on behind one, the path does. */
  unchecked: ReadonlySet<FindingCode> = new Set();
  /** How the running path has ended, if the step that ended it did not throw. */
  #ended: Ending | undefined;
  /** The count of instructions at which the turn is interrupted. */
  #stopAt = 0;
  readonly #counters: Float64Array;
  readonly #covered: Uint8Array;
  /** The origins of the last blocks of the heap, by size. */
  readonly lastBlocks: (Origin | undefined)[] = new Array<Origin | undefined>(64).fill(undefined);
  readonly localOrigins: Map<LocalKind, Origin> = new Map();
  #nextSerial = 1;

  constructor(program: Program, terms: Terms, solver: Solver, symbolicStart: SymbolicStart = {}) {
    this.symbolicStart = symbolicStart;
    this.program = program;
    this.runner = new Runner(this, program.mostBlocks);
    this.#counters = this.runner.counters;
    this.#covered = this.runner.covered;
    this.terms = terms;
    this.unwritten = new Unwritten(terms);
    this.floats = new FloatCircuits(terms);
    this.solver = solver;
  }

  /** The first state: the program at its entry, which takes no arguments. */
  start(entry: string, memory: Memory, host: ModelHost): State {
    const target = this.program.functionNamed(entry);
    assert(target !== undefined, `the program has no ${entry}`);
    const { template, blocks } = this.program.ready(target);
    const owner: Owner = {};
    const frame = new Frame(owner, {
      target,
      caller: undefined,
      calls: undefined,
      depth: 0,
      serial: 0,
      regs: template.slice(),
      block: blocks[0]!,
      pc: 0,
      locals: [],
      variadics: 0,
      isRepeated: false,
    });
    const state = new State(
      0,
      memory,
      frame,
      this.solver.emptySet,
      new ByteDomains(new ByteConditions(this.terms)),
      host,
      History.start(),
    );
    state.owner = owner;
    this.state = state;
    this.#count(blocks[0]!);
    return state;
  }

  /**
   * Runs the state until it ends, has forked, or its turn is over: more than `turnEnd` instructions were run, and it is at a turn point.
   * There compiled code stops too, so where a turn is over does not depend on what was compiled when. Where the count has come to `stopAt` or the
   * clock to `until`, the turn is interrupted. Returns how the path ended, if it has.
   */
  run(state: State, turnEnd: number, stopAt: number, until: number): Ending | undefined {
    this.state = state;
    epoch.now++;
    this.#counters[Counter.runStart] = this.instructions;
    this.#counters[Counter.latest] = Math.min(turnEnd, stopAt);
    this.#stopAt = stopAt;
    this.isInterrupted = false;
    this.#ended = undefined;
    try {
      for (let i = 1; this.forked.length === 0; i++) {
        if (this.instructions > turnEnd && isAtTurnPoint(state.frame)) return undefined;
        if (this.instructions >= this.#stopAt || (i % BLOCKS_PER_LOOK === 0 && performance.now() > until)) {
          this.isInterrupted = true;
          return undefined;
        }
        this.#runBlock();
        if (this.#ended !== undefined) return this.#ended;
      }
      return undefined;
    } catch (thrown) {
      if (thrown instanceof PathEnd) return thrown.ending;
      if (thrown !== INTERRUPTED) throw thrown;
      this.isInterrupted = true;
      return undefined;
    } finally {
      state.instructions += this.#instructionsOfRun;
    }
  }

  /** The running state goes no further than the block it is in. */
  interruptTurn(): void {
    this.#stopAt = 0;
  }

  /** Of each decoded block, whether it was run. */
  get covered(): Uint8Array {
    return this.#covered;
  }

  /** Instructions run on all paths together. */
  get instructions(): number {
    return this.#counters[Counter.instructions]!;
  }

  /** Instructions of the present run: a small integer, so that the shape of a state stays as it was for V8. */
  get #instructionsOfRun(): number {
    return (this.instructions - this.#counters[Counter.runStart]!) | 0;
  }

  /** Those of an earlier run count as well. */
  set instructions(count: number) {
    this.#counters[Counter.instructions] = count;
  }

  /** Steps until the frame changes or another block is entered. */
  #runBlock(): void {
    const { frame } = this.state;
    if (frame.pc === 0 && frame.block.isLoopHead && this.runner.resume(frame)) return;
    const { steps } = frame.block;
    for (;;) {
      const step = steps[frame.pc]!;
      if (step.run(this, step, frame.regs) === true) return;
      frame.pc++;
    }
  }

  // ------------------------------------------------------------------------------------ control flow

  /** Goes to a block of the running function, by the edge from the present one. */
  enter(block: DecodedBlock): void {
    const { frame } = this.state;
    const moves = block.phis.get(frame.block.id);
    if (moves !== undefined) {
      const { regs } = frame;
      const { into, from, areApart } = moves;
      if (areApart) for (let i = 0; i < into.length; i++) regs[into[i]!] = regs[from[i]!]!;
      else {
        const values = from.map(register => regs[register]!);
        for (let i = 0; i < into.length; i++) regs[into[i]!] = values[i]!;
      }
    }
    frame.block = block;
    frame.pc = 0;
    this.#count(block);
  }

  #count(block: DecodedBlock): void {
    this.#counters[Counter.instructions]! += block.instructions;
    if (this.#covered[block.id] === 0) this.cover(block.id);
  }

  /** A block is run for the first time. */
  cover(block: number): void {
    this.#covered[block] = 1;
    this.coveredBlocks++;
    this.state.coveredNew = true;
  }

  /** A frame for the function on top of the running one. */
  push(target: DecodedFunction, args: readonly Value[], given: Given = NOTHING_GIVEN): void {
    const { state } = this;
    this.checkDepth();
    const { template, blocks } = this.program.ready(target);
    const regs = template.slice();
    const fixed = target.ir.arguments.length;
    for (let i = 0; i < fixed && i < args.length; i++) regs[i] = args[i]!;
    this.pushSpilled(target, regs, 0, 0, given.locals);
    state.frame.variadics = given.variadics;
    this.#count(blocks[0]!);
  }

  /** Another call must not be nested too deep. */
  checkDepth(): void {
    if (this.state.frame.depth >= MAXIMUM_CALL_DEPTH) this.fail({ kind: 'calls', depth: MAXIMUM_CALL_DEPTH });
  }

  /** A frame that goes on in the middle, on top of the running one. */
  pushSpilled(
    target: DecodedFunction,
    regs: Value[],
    block: number,
    pc: number,
    locals: readonly number[],
  ): void {
    const { state } = this;
    const caller = state.frame;
    state.frame = new Frame(state.owner, {
      target,
      caller,
      calls: this.trace(),
      depth: caller.depth + 1,
      serial: this.#nextSerial++,
      regs,
      block: target.blocks[block]!,
      pc,
      locals,
      variadics: 0,
      isRepeated: false,
    });
  }

  /** Calls a constructor; when it returns, the running step is run again and calls the next. */
  pushConstructor(target: DecodedFunction): void {
    this.push(target, []);
    this.state.frame.isRepeated = true;
  }

  /** Ends the running activation: its locals are gone, the caller goes on behind its call. */
  returnFrom(value: Value | undefined): void {
    const { state } = this;
    const { frame } = state;
    endLocals(this, frame.locals);
    assert(frame.caller !== undefined, '__rz_start never returns');
    state.pop(frame.caller);
    const call = state.frame.block.steps[state.frame.pc]!;
    if (value !== undefined && call.ir.type.kind !== 'void') state.frame.regs[call.into] = value;
    if (!frame.isRepeated) state.frame.pc++;
  }

  /** Abandons activations until the one of the serial number is on top. Returns whether there was one. */
  unwindTo(serial: number): boolean {
    const { state } = this;
    let frame: Frame | undefined = state.frame;
    while (frame !== undefined && frame.serial !== serial) frame = frame.caller;
    if (frame === undefined) return false;
    while (state.frame.serial !== serial) {
      endLocals(this, state.frame.locals);
      state.pop(state.frame.caller!);
    }
    return true;
  }

  // ------------------------------------------------------------------------------------ questions

  /** Does the condition hold? Where both are possible this state goes on with true, and a copy with false. */
  decide(condition: Term): boolean {
    if (condition.isConst) return condition.isTrue;
    const { state } = this;
    const quick = state.domains.decide(condition);
    switch (quick === 'unknown' ? this.questions.branch(state.domains.inBrief(condition)) : quick) {
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
        // On the inputs for which the condition is defined it may have one answer only.
        if (state.constraints !== constraints) return this.decide(condition);
        const { whenTrue, whenFalse } = this.questions.fork();
        state.depth++;
        if (whenFalse !== undefined) {
          const other = state.fork(this.nextStateId++);
          other.instructions += this.#instructionsOfRun;
          other.add(this.terms.not(condition));
          other.history = whenFalse;
          this.forked.push(other);
          this.onFork?.(state, other);
        }
        if (whenTrue === undefined) throw new PathEnd({ kind: 'unwanted' });
        state.add(condition);
        this.questions.moveTo(whenTrue);
        return true;
      }
    }
  }

  /** Decides a condition that is too hard, because of circuits of floats: the inputs that it depends on are given one of their values. */
  #settle(condition: Term): boolean {
    const inputs: Term[] = [];
    forEachTerm([condition], term => {
      if (term.op === Op.Var || term.op === Op.Read) inputs.push(term);
    });
    for (const input of inputs)
      this.choose(input, this.valueOf(input), 'what a hard question about floats depends on');
    const value = this.valueOf(condition);
    return value === 1;
  }

  /** Restricts the path to inputs for which the condition holds; the path ends silently if there is none. */
  assume(condition: Term): void {
    const answer = this.questions.mayBeTrue(this.state.domains.inBrief(condition));
    if (answer.kind === 'unknown') this.questions.giveUp(answer);
    if (answer.kind === 'no') throw new PathEnd({ kind: 'unwanted' });
    this.state.add(condition);
  }

  /** One value that the term can have on this path. */
  valueOf(term: Term, constraints: ConstraintSet = this.state.constraints): Known {
    const answer = this.questions.value(constraints, term);
    if (answer.kind === 'value') return answer.value;
    return this.questions.giveUp(answer.kind === 'unknown' ? answer : unknown('no value is possible'));
  }

  /** A single value for what may have several; `what` is noted, because the other values are not explored. */
  concretize(value: Scalar, what: string): Known {
    if (typeof value !== 'object') return value;
    const { terms, state } = this;
    const simpler = known(state.constraints.simplify(value));
    if (typeof simpler !== 'object') return simpler;
    requireDefined(this, simpler);
    const chosen = this.valueOf(simpler);
    const others = this.questions.mayBeTrue(
      terms.not(terms.eq(simpler, terms.constant(simpler.width, chosen))),
    );
    return others.kind === 'no' ? chosen : this.choose(simpler, chosen, what);
  }

  /** Restricts the path to one of the values that a term can have, and notes that. */
  choose(term: Term, value: Known, what: string): Known {
    const { terms, state } = this;
    state.add(terms.eq(term, terms.constant(term.width, value)));
    this.note(`${what} was given one of its values`);
    return value;
  }

  /** Notes that the path stands for less than all that could happen from here on, and where. */
  note(what: string): void {
    const { state } = this;
    if (!state.notes.includes(what)) state.notes = [...state.notes, what];
    const place = lineOf(this.trace());
    const isNew = !state.choices.some(({ file, line }) => file === place?.file && line === place.line);
    if (place !== undefined && isNew) state.choices = [...state.choices, place];
  }

  /** Each value that a pointer can have, on a path of its own; bounded, like every fork over pointers. */
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

  /** Each value on a path of its own if there are few, else one of them, which is noted. */
  fewValues(value: Scalar, what: string): Known {
    if (typeof value !== 'object') return value;
    const { terms, state } = this;
    const simpler = known(state.constraints.simplify(value));
    if (typeof simpler !== 'object') return simpler;
    requireDefined(this, simpler);
    let others = state.constraints;
    const found: Known[] = [];
    while (found.length <= FEW) {
      const answer = this.questions.value(others, simpler);
      if (answer.kind === 'unknown') return this.concretize(simpler, what);
      // A value that was ruled out comes back where no other is left.
      if (answer.kind !== 'value' || found.includes(answer.value)) break;
      found.push(answer.value);
      others = others.add(terms.not(terms.eq(simpler, terms.constant(simpler.width, answer.value))));
    }
    if (found.length === 0 || found.length > FEW) return this.concretize(simpler, what);
    // Which one the solver names first depends on what it was asked before.
    found.sort((a, b) => (a < b ? -1 : 1));
    for (const candidate of found.slice(0, -1)) {
      if (this.decide(terms.eq(simpler, terms.constant(simpler.width, candidate)))) return candidate;
    }
    return found.at(-1)!;
  }

  /** The float or double in a register; one of its values, if it has many. */
  float(bits: number, value: Scalar): number {
    if (typeof value !== 'object') return value as number;
    return floatFromBits(bits, this.fewValues(value, 'a symbolic float'));
  }

  /** One value, for something that the rest of the path does not depend on: that of the run on the path's test, if nothing more is decided. */
  concretizeQuietly(value: Scalar): Known {
    return typeof value === 'object' ? this.questions.valueOnTest()(value) : value;
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

  /** The calls that lead to the present instruction. */
  trace(): Trace {
    if (this.runner.isRunning) return this.runner.trace();
    const { frame } = this.state;
    return { at: frame.block.steps[frame.pc]!.ir, calls: frame.calls };
  }

  isUnchecked(code: FindingCode): boolean {
    return this.unchecked.has(code);
  }

  /** What new objects hold: a program whose uses of unwritten memory are not looked for finds zeros there, as on fresh pages of a machine. */
  get newContents(): Contents {
    return this.isUnchecked('uninitialized-read') ? 'zero' : 'unwritten';
  }

  /**
   * Ends the path with a finding, at the present instruction unless told otherwise; or as abandoned if that is not looked for: whoever can go
   * on behind the error asks `isUnchecked` first.
   */
  fail(facts: FindingFacts, at: Trace = this.trace()): never {
    const finding = makeFinding(facts, at);
    const { code } = finding;
    if (!this.isUnchecked(code)) throw new PathEnd({ kind: 'finding', finding });
    const reason = `a path ends at an error that is not checked (\`${code}\`)`;
    throw new PathEnd({ kind: 'partial', reason });
  }

  /** What a finding says of an object, on the test that the path would have if it ended here. */
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

  /** The same for a step that has nothing more to do: most paths end at an exit, and throwing takes as long as a good part of a short path. */
  endAfterStep(ending: Ending): void {
    this.#ended = ending;
  }
}
