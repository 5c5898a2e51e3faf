/**
 * The interpreter: runs one state until it ends, forks, or has used up its time slice.
 *
 * Decisions and forks are in `decisions.ts`, which this class extends.
 */

import type { Terms } from '../../expr/terms.js';
import type { ForkableHost } from '../../host/host.js';
import type { Solver } from '../../solver/solver.js';
import { assert } from '../../support/assert.js';
import type { Owner } from '../../support/owner.js';
import { endLocals, type LocalKind } from '../access/activation-locals.js';
import { noteEnds } from '../access/shared-access.js';
import { Strays } from '../access/strays.js';
import { Counter } from '../compile/counter.js';
import { Runner } from '../compile/runner.js';
import type { Memory } from '../memory/address-space.js';
import type { Trace } from '../memory/call-trace.js';
import { epoch } from '../memory/epoch.js';
import type { Origin, OriginContents } from '../memory/origin.js';
import type { Program } from '../program/program.js';
import { type DecodedBlock, type DecodedFunction, NOTHING_GIVEN, type StepParts } from '../state/decoded.js';
import { Frame, isAtSlicePoint, MAXIMUM_CALL_DEPTH } from '../state/frame.js';
import { History } from '../state/history.js';
import { LoopWatch, type Watching } from '../state/loop-watch.js';
import { type Ending, PathEnd } from '../state/path-end.js';
import { FunctionSet, NO_FUNCTIONS, type RecordedBlocks } from '../state/reached.js';
import type { Running, ThreadExploration } from '../state/running.js';
import { type PathWatch, State, type SymbolicStart } from '../state/state.js';
import { ByteConditions, ByteDomains } from '../values/byte-domains.js';
import type { RegisterValue } from '../values/register-value.js';
import { PathDecisions } from './decisions.js';
import { endlessLoop } from './endless.js';
import type { ExternalFunctions } from './external.js';
import { INTERRUPTED } from './path-queries.js';

/** The number of blocks between two checks of the clock. */
const BLOCKS_PER_LOOK = 256;

export class Machine extends PathDecisions implements Running {
  readonly program: Program;
  readonly strays: Strays = new Strays();
  readonly symbolicStart: SymbolicStart;
  readonly runner: Runner;
  coveredBlocks = 0;
  /** Whether the last time slice was interrupted. */
  isInterrupted = false;
  /** How much of each path is watched for a repeated state; undefined for nothing. */
  watching: Watching | undefined;
  /** Calls external functions; undefined unless that is allowed. */
  external: ExternalFunctions | undefined;
  exploresThreads: ThreadExploration | undefined;
  spins = 0;
  /** How the running path has ended, if the step that ended it did not throw. */
  #ended: Ending | undefined;
  /** The count of instructions at which the time slice is interrupted. */
  #stopAt = 0;
  readonly #counters: Float64Array;
  /** For each block, whether `cover` need not be called for it. Compiled code reads it. */
  readonly #covered: Uint8Array;
  /** For each block, whether a path has executed it. */
  readonly #ran: Uint8Array;
  /**
   * Whether paths record the functions that they call, and the blocks that they are the first to
   * execute.
   */
  recordsPaths = false;
  /** The blocks of the program that each path records; undefined for none. */
  recorded: RecordedBlocks | undefined;
  /** Blocks that were recorded for the running path, and must be for the next one. */
  readonly #noted: number[] = [];
  /** The functions that the running path need not record: their first blocks count as covered. */
  #recordedFunctions = NO_FUNCTIONS;
  /** The origins of the last heap blocks, by size. */
  readonly lastBlocks: (Origin | undefined)[] = new Array<Origin | undefined>(64).fill(undefined);
  readonly localOrigins: Map<LocalKind, Origin> = new Map();
  #nextSerial = 1;

  constructor(program: Program, terms: Terms, solver: Solver, symbolicStart: SymbolicStart = {}) {
    super(terms, solver);
    this.symbolicStart = symbolicStart;
    this.program = program;
    this.runner = new Runner(this, program.mostBlocks);
    this.#counters = this.runner.counters;
    this.#covered = this.runner.covered;
    this.#ran = new Uint8Array(program.mostBlocks);
  }

  /** The initial state: the program at its entry, which takes no arguments. */
  start(entry: string, memory: Memory, host: ForkableHost): State {
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
    state.reached = FunctionSet.empty();
    this.#recordAnew();
    this.state = state;
    this.#count(blocks[0]!);
    return state;
  }

  /**
   * Runs the state until it ends, has forked, or its time slice is over: more than `sliceEnd`
   * instructions were executed, and it is at a slice point. Compiled code stops at slice points
   * too, so the end of a time slice does not depend on what was compiled when. If the count
   * reaches `stopAt` or the clock reaches `until`, the time slice is interrupted. Returns how
   * the path ended, if it has.
   */
  run(state: State, sliceEnd: number, stopAt: number, until: number): Ending | undefined {
    if (this.#recordedFunctions !== state.reached) this.#recordFunctions(state.reached);
    if (this.recorded !== undefined) this.#recordAnew();
    this.state = state;
    epoch.now++;
    this.#counters[Counter.runStart] = this.instructions;
    this.#stopAt = stopAt;
    const watch = this.#watchOf(state);
    const latest = Math.min(sliceEnd, stopAt);
    let lookAt = this.#planLook(watch, latest);
    this.isInterrupted = false;
    this.#ended = undefined;
    try {
      for (let i = 1; this.forked.length === 0; i++) {
        if (this.instructions > sliceEnd && isAtSlicePoint(state.frame)) return undefined;
        if (this.instructions >= this.#stopAt || (i % BLOCKS_PER_LOOK === 0 && performance.now() > until)) {
          this.isInterrupted = true;
          return undefined;
        }
        if (
          watch !== undefined &&
          (watch.isOpen || (this.instructions > lookAt && isAtSlicePoint(state.frame)))
        ) {
          const wasOpen = watch.isOpen;
          const round = watch.look(state, state.instructions + this.instructionsOfRun());
          if (wasOpen !== watch.isOpen) lookAt = this.#planLook(watch, latest);
          const finding = round && endlessLoop(this, round);
          if (finding !== undefined) return { kind: 'finding', finding };
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
      state.instructions += this.instructionsOfRun();
    }
  }

  #watchOf(state: State): PathWatch | undefined {
    if (this.watching === undefined || this.isUnchecked('infinite-loop')) return undefined;
    state.watch ??= new LoopWatch(this.watching);
    return state.watch;
  }

  /**
   * Plans the instruction count at which the path is examined next. Compiled code exits there, and
   * is not entered while the path is watched.
   */
  #planLook(watch: PathWatch | undefined, latest: number): number {
    const lookAt =
      watch === undefined
        ? Number.POSITIVE_INFINITY
        : watch.next - this.state.instructions + this.#counters[Counter.runStart]!;
    this.#counters[Counter.latest] = Math.min(latest, lookAt);
    this.runner.isSuspended = (watch?.isOpen ?? false) || (this.state.threads?.isMany ?? false);
    return lookAt;
  }

  /** The running state stops at the end of its current block. */
  interruptTurn(): void {
    this.#stopAt = 0;
  }

  /** For each decoded block, whether it was executed. */
  get covered(): Uint8Array {
    return this.#ran;
  }

  /** Instructions executed on all paths. */
  get instructions(): number {
    return this.#counters[Counter.instructions]!;
  }

  /** A small integer, so that V8 keeps the hidden class of states. */
  protected override instructionsOfRun(): number {
    return (this.instructions - this.#counters[Counter.runStart]!) | 0;
  }

  /** Instructions of an earlier run count as well. */
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

  // ---------------------------------------------------------------------------------- control flow

  /** Enters a block of the running function through the edge from the current one. */
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

  /**
   * Called when a block is executed for the first time; a block that each path records, for the
   * first time in this time slice.
   */
  cover(block: number): void {
    const { state } = this;
    this.#covered[block] = 1;
    if (this.#ran[block] === 0) {
      this.#ran[block] = 1;
      this.coveredBlocks++;
      state.coveredNew = true;
      if (this.recordsPaths) state.news = { block, earlier: state.news };
    }
    const { index, target } = this.program.blocks[block]!;
    if (this.recordsPaths && index === 0) {
      state.reached = state.reached.with(target.name, block);
      this.#recordedFunctions = state.reached;
    }
    if (this.recorded !== undefined && target.lines !== undefined) {
      this.#noted.push(block);
      state.ran = this.recorded.add(state.ran, block);
    }
  }

  /** The running path has called these functions and need not record them again. */
  #recordFunctions(functions: FunctionSet): void {
    for (const block of this.#recordedFunctions.firstBlocks) this.#covered[block] = 0;
    for (const block of functions.firstBlocks) this.#covered[block] = 1;
    this.#recordedFunctions = functions;
  }

  #recordAnew(): void {
    for (const block of this.#noted) this.#covered[block] = 0;
    this.#noted.length = 0;
  }

  /** Whether each path records this block: calls of functions, and blocks with lines. */
  #isNoted(index: number, target: DecodedFunction): boolean {
    return (this.recordsPaths && index === 0) || (this.recorded !== undefined && target.lines !== undefined);
  }

  /** Marks a block that a path of an earlier run has executed. */
  coverEarlier(block: number): void {
    if (this.#ran[block] !== 0) return;
    this.#ran[block] = 1;
    this.coveredBlocks++;
    const { index, target } = this.program.blocks[block]!;
    if (!this.#isNoted(index, target)) this.#covered[block] = 1;
  }

  /** Pushes a frame for the function. */
  push(target: DecodedFunction, args: readonly RegisterValue[], given: StepParts = NOTHING_GIVEN): void {
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

  /** Fails if calls are nested too deeply. */
  checkDepth(): void {
    if (this.state.frame.depth >= MAXIMUM_CALL_DEPTH)
      this.fail({ kind: 'exhaustion', depth: MAXIMUM_CALL_DEPTH });
  }

  /** Pushes a frame that continues in the middle of a function. */
  pushSpilled(
    target: DecodedFunction,
    regs: RegisterValue[],
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

  /**
   * Calls a constructor; when it returns, the current step is executed again and calls the next
   * one.
   */
  pushConstructor(target: DecodedFunction): void {
    this.push(target, []);
    this.state.frame.isRepeated = true;
  }

  /** Ends the running activation: its locals end, and the caller continues after its call. */
  returnFrom(value: RegisterValue | undefined): void {
    const { state } = this;
    const { frame } = state;
    noteEnds(this, frame.locals);
    endLocals(this, frame.locals);
    assert(frame.caller !== undefined, '__rz_start never returns');
    state.pop(frame.caller);
    const call = state.frame.block.steps[state.frame.pc]!;
    if (value !== undefined && call.ir.type.kind !== 'void') state.frame.regs[call.into] = value;
    if (!frame.isRepeated) state.frame.pc++;
  }

  /** Switches to another stack: a suspended one, or the first activation of a new thread. */
  changeStack(frame: Frame | undefined, begin: DecodedFunction | undefined): void {
    const { state } = this;
    if (frame !== undefined) {
      state.pop(frame);
      return;
    }
    assert(begin !== undefined, 'a thread that has not begun has a function to begin with');
    const { template, blocks } = this.program.ready(begin);
    state.frame = new Frame(state.owner, {
      ...{ target: begin, caller: undefined, calls: undefined, depth: 0, serial: this.#nextSerial++ },
      ...{ regs: template.slice(), block: blocks[0]!, pc: 0, locals: [], variadics: 0, isRepeated: false },
    });
    this.#count(blocks[0]!);
  }

  /** Unwinds to the activation with the serial number. Returns whether there was one. */
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

  // ------------------------------------------------------------------------------------ endings

  /** The calls that lead to the current instruction. */
  trace(): Trace {
    if (this.runner.isRunning) return this.runner.trace();
    const { frame } = this.state;
    return { at: frame.block.steps[frame.pc]!.ir, calls: frame.calls };
  }

  /**
   * The contents of new objects: if uninitialized uses are not checked, memory is zero, as on fresh
   * pages of a machine.
   */
  get newContents(): OriginContents {
    return this.isUnchecked('uninitialized-read') ? 'zero' : 'unwritten';
  }

  /**
   * Like `end`, for a step that is complete: most paths end at an exit, and throwing would take as
   * long as much of a short path.
   */
  endAfterStep(ending: Ending): void {
    this.#ended = ending;
  }
}
