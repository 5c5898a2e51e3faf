/**
 * The interface between compiled code and the interpreter.
 *
 *     interpreter ──call, resume──▶ compiled code ─┬─ returns a value
 *                                                  └─ SPILL: its frames, from the inside to the outside, are in `spilled`
 *
 * While compiled code runs, the state's topmost frame is the interpreter's last one; the calls
 * above it are only in JavaScript's stack and, for stacks of allocations and errors, in `sites`.
 *
 * **Invariant:** a native or a handler that compiled code calls has changed nothing when it needs
 * to fork. So it can be abandoned by an exception and executed again by the interpreter.
 */

import * as V from '../../expr/value.js';
import type { AllocaInstruction, CallInstruction, Instruction } from '../../ir/model.js';
import { Liveness } from '../../passes/liveness.js';
import { assert } from '../../support/assert.js';
import { endLocals, enterScope, newLocal } from '../access/activation-locals.js';
import { isStray } from '../access/strays.js';
import { giveMemory, type Passing } from '../instructions/calls.js';
import { Window } from '../memory/address-space.js';
import type { Trace } from '../memory/call-trace.js';
import { epoch } from '../memory/epoch.js';
import { free, malloc } from '../natives/allocation.js';
import type { Program } from '../program/program.js';
import {
  argumentsOf,
  type Compiled,
  type Compiler,
  type DecodedFunction,
  isGivenMemory,
  type Native,
  NOTHING_GIVEN,
  SPILL,
  type Step,
  type StepParts,
} from '../state/decoded.js';
import { type Frame, MAXIMUM_CALL_DEPTH } from '../state/frame.js';
import type { History } from '../state/history.js';
import type { CompiledCode, Running } from '../state/running.js';
import {
  bitsOfFloat,
  floatFromBits,
  fromHalves,
  type Known,
  type RegisterValue,
} from '../values/register-value.js';
import { mayCall } from './call-code.js';
import { Counter } from './counter.js';
import { Emitter, TIMES_NEW } from './emit-javascript.js';

/** Returned by a native that the interpreter must execute. */
export const LEAVE: unique symbol = Symbol('leave');

interface Spilled {
  readonly target: DecodedFunction;
  readonly block: number;
  readonly pc: number;
  readonly registers: RegisterValue[];
  readonly locals: readonly number[];
  readonly variadics: number;
}

/** Thrown by `Machine.decide` out of a native that compiled code has called. */
class NeedsInterpreter {}
const needsInterpreter = new NeedsInterpreter();

/**
 * Compiled code that exits before it has executed this many instructions was not worth entering.
 */
const WORTHWHILE = 60;
const LONGEST_PENALTY = 4096;

/**
 * Loops exit early the first times that they are entered. V8 optimises a loop that has never exited
 * under the assumption that it does not, and discards the code when the time slice ends; one that
 * has exited keeps its code. For the same reason a new loop always asks whether the bytes that it
 * reads were written, which it otherwise does only for FILLER. This many instructions are enough
 * for V8 to collect feedback and too few to optimise.
 */
const SOON = 800;

/**
 * The number of nested calls that JavaScript's stack has room for; deeper ones continue in frames.
 */
const MOST_CALLS = 600;

/** Helper functions of compiled code, and operations on values beyond 2^53. */
const helpers = {
  POWERS: Array.from({ length: 64 }, (_, i) => 2 ** i),
  fromHalves,
  bitsOfFloat,
  floatFromBits,
  address: (base: Known, index: Known, bits: number, stride: number, offset: Known): Known =>
    V.toValue(64, BigInt(base) + BigInt(V.toSigned(bits, index)) * BigInt(stride) + BigInt(offset)),
  /** The result of a signed operation, or -1 on overflow. */
  checked(op: 'add' | 'sub' | 'mul', width: number, a: Known, b: Known): Known {
    const [x, y] = [BigInt(V.toSigned(width, a)), BigInt(V.toSigned(width, b))];
    const exact = op === 'add' ? x + y : op === 'sub' ? x - y : x * y;
    return BigInt.asIntN(width, exact) === exact ? V.toValue(width, exact) : -1;
  },
};

/** What compiled code needs of the machine besides natives and handlers. */
interface Interpreter extends Running {
  readonly program: Program;
  /** States forked by `decide` since the explorer last collected them. */
  readonly forked: readonly unknown[];
  /** Called when a block is executed for the first time. */
  cover(block: number): void;
  /** Pushes a frame that continues in the middle of a function. */
  pushSpilled(
    target: DecodedFunction,
    regs: RegisterValue[],
    block: number,
    pc: number,
    locals: readonly number[],
  ): void;
}

export class Runner implements CompiledCode, Compiler {
  readonly #machine: Interpreter;
  /**
   * Indexed by `Counter`. These are not fields, because V8 recompiles users of an object when a
   * field that held small integers gets another number.
   */
  readonly counters: Float64Array = new Float64Array(7);
  readonly covered: Uint8Array;
  /** The active calls of compiled code, outermost first. */
  readonly sites: Instruction[] = [];
  isDisabled = false;
  /** The interpreter needs to see every loop head of the running path. */
  isSuspended = false;
  /** The memory arguments of the next function call. */
  given: StepParts = NOTHING_GIVEN;
  /**
   * Compiled code exits because of a function that is not compiled yet, which does not count
   * against the code.
   */
  leavesForCold = false;
  /** The object that compiled code last requested. */
  readonly window: Window = new Window();
  /** The native that compiled code is calling. */
  #at: Instruction | undefined;
  /** The history of the path before that call. */
  #history!: History;
  #baseCalls: Trace | undefined;
  #isRunning = false;
  /** By depth, the trace of the last call there. */
  readonly #lastTraces: (Trace | undefined)[] = [];
  #spilled: Spilled[] = [];

  constructor(machine: Interpreter, blocks: number) {
    this.#machine = machine;
    this.covered = new Uint8Array(blocks);
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** The native would fork: the interpreter must execute it, and repeats its decisions. */
  abandon(): never {
    this.#machine.state.history = this.#history;
    throw needsInterpreter;
  }

  /** The stack of the current native call. */
  trace(): Trace {
    assert(this.#at !== undefined, 'compiled code asks for its stack in natives only');
    let calls = this.#baseCalls;
    const nested = this.counters[Counter.calls]!;
    for (let i = 0; i < nested; i++) calls = this.#traceAt(i, this.sites[i]!, calls);
    return this.#traceAt(nested, this.#at, calls);
  }

  /** Most stacks equal those of the previous call, so they are shared. */
  #traceAt(depth: number, at: Instruction, calls: Trace | undefined): Trace {
    const last = this.#lastTraces[depth];
    if (last !== undefined && last.at === at && last.calls === calls) return last;
    const trace = { at, calls };
    this.#lastTraces[depth] = trace;
    return trace;
  }

  /** Compiles a function that is called for the first time. */
  compile(target: DecodedFunction): Compiled {
    const { program } = this.#machine;
    program.ready(target);
    const emitter = new Emitter(program, target);
    const source = emitter.run();
    const environment = {
      EP: epoch,
      W: this.window,
      RUNNER: this,
      C: this.counters,
      COV: this.covered,
      V,
      H: helpers,
      SPILL,
      LEAVE,
      I: emitter.instructions,
      N: emitter.natives,
      F: emitter.callees,
      K: emitter.constants,
      T: emitter.steps,
      Q: emitter.passings,
      S: target.template.slice(),
      SELF: target,
    };
    target.compiled = new Function('env', source)(environment) as Compiled;
    return target.compiled;
  }

  // ------------------------------------------------------------------------- from the interpreter

  /**
   * Calls a function; undefined if the interpreter should, because a value is symbolic or compiled
   * code is not worthwhile.
   */
  call(
    target: DecodedFunction,
    args: readonly RegisterValue[],
    given: StepParts,
  ): { readonly value: RegisterValue | undefined } | 'spilled' | undefined {
    // A state that has forked stops at the entry of a function.
    if (this.isDisabled || this.isSuspended || this.#machine.forked.length > 0 || target.skips-- > 0)
      return undefined;
    target.skips = 0;
    target.isCold = false;
    const fixed = target.ir.arguments.length;
    if (args.length < fixed || isGivenMemory(target.ir) !== (given !== NOTHING_GIVEN)) return undefined;
    for (let i = 0; i < fixed; i++) if (typeof args[i] === 'object') return undefined;
    const start = this.counters[Counter.instructions]!;
    this.given = given;
    const value = this.#run(this.#machine.trace(), this.#machine.state.frame.depth + 1, false, () =>
      target.compiled(this, null, 0, ...args.slice(0, fixed)),
    );
    if (value !== SPILL) return { value };
    this.#judge(target, start);
    this.#pushFrames();
    return 'spilled';
  }

  /** Continues the topmost frame, which is at the beginning of a block. Returns whether it did. */
  resume(frame: Frame): boolean {
    const { block, target } = frame;
    if (this.isDisabled || this.isSuspended || block.skips-- > 0) return false;
    block.skips = 0;
    if (block.liveRegisters === undefined) findLiveRegisters(target);
    for (const register of block.liveRegisters!) if (typeof frame.regs[register] === 'object') return false;
    const start = this.counters[Counter.instructions]!;
    const isNew = block.resumes < TIMES_NEW;
    if (isNew) block.resumes++;
    const value = this.#run(frame.calls, frame.depth, isNew, () =>
      target.compiled(this, frame.regs, block.index),
    );
    if (value !== SPILL) {
      frame.locals = [];
      this.#machine.returnFrom(value);
      return true;
    }
    this.#judge(block, start);
    const own = this.#spilled.pop()!;
    frame.block = target.blocks[own.block]!;
    frame.pc = own.pc;
    frame.regs = registersOf(own);
    frame.locals = own.locals;
    this.#pushFrames();
    return true;
  }

  /** `depth` is the depth of the code's frame. */
  #run(
    baseCalls: Trace | undefined,
    depth: number,
    isNew: boolean,
    code: () => RegisterValue | undefined | typeof SPILL,
  ): ReturnType<Compiled> {
    this.#baseCalls = baseCalls;
    this.#isRunning = true;
    this.counters[Counter.leave] = this.counters[Counter.latest]!;
    this.counters[Counter.calls] = 0;
    this.counters[Counter.mostCalls] = Math.min(MOST_CALLS, MAXIMUM_CALL_DEPTH - depth);
    this.counters[Counter.isNew] = 0;
    if (isNew) this.leaveSoon();
    try {
      return code();
    } finally {
      this.#isRunning = false;
      this.#at = undefined;
    }
  }

  /** Code that exits at once is entered less and less often. */
  #judge(what: { skips: number; penalty: number }, start: number): void {
    const run = this.counters[Counter.instructions]! - start;
    const isWorthwhile =
      run >= WORTHWHILE ||
      (this.leavesForCold && run > 0) ||
      this.counters[Counter.instructions]! > this.counters[Counter.leave]!;
    this.leavesForCold = false;
    what.penalty = isWorthwhile ? 0 : Math.min(LONGEST_PENALTY, 2 * what.penalty + 1);
    what.skips = what.penalty;
  }

  /** Pushes frames for the active calls of compiled code. */
  #pushFrames(): void {
    const machine = this.#machine;
    for (let spilled = this.#spilled.pop(); spilled !== undefined; spilled = this.#spilled.pop()) {
      const { target, block, pc, locals, variadics } = spilled;
      machine.pushSpilled(target, registersOf(spilled), block, pc, locals);
      machine.state.frame.variadics = variadics;
    }
  }

  // ------------------------------------------------------------------------- from compiled code

  spill(
    target: DecodedFunction,
    block: number,
    pc: number,
    registers: RegisterValue[],
    locals: readonly number[] | null,
    variadics: number,
  ): typeof SPILL {
    this.#spilled.push({ target, block, pc, registers, locals: locals ?? [], variadics });
    return SPILL;
  }

  /**
   * A new loop exits after a few iterations, and makes requests at each access that are mostly
   * unnecessary.
   */
  leaveSoon(): void {
    const { counters } = this;
    counters[Counter.isNew] = 1;
    counters[Counter.leave] = Math.min(counters[Counter.latest]!, counters[Counter.instructions]! + SOON);
  }

  cover(block: number): void {
    this.#machine.cover(block);
  }

  /** The locals of the frame that continues in compiled code. */
  resumedLocals(): number[] | null {
    const { locals } = this.#machine.state.frame;
    return locals.length === 0 ? null : [...locals];
  }

  resumedVariadics(): number {
    return this.#machine.state.frame.variadics;
  }

  compiledLocal(
    locals: number[],
    bytes: number,
    align: number,
    target: DecodedFunction,
    at: AllocaInstruction,
  ): number {
    this.#at = at;
    const address = newLocal(this.#machine, bytes, align, target.locals.get(at));
    locals.push(address);
    return address;
  }

  endCompiledLocals(locals: readonly number[]): void {
    endLocals(this.#machine, locals);
  }

  /** Begins an operation that the interpreter may have to repeat. */
  #begin(at: Instruction): void {
    this.#at = at;
    this.#history = this.#machine.state.history;
  }

  callNative(native: Native, at: Instruction, args: RegisterValue[]): ReturnType<Native> | typeof LEAVE {
    this.#begin(at);
    try {
      return native(this.#machine, argumentsOf(args));
    } catch (thrown) {
      if (thrown === needsInterpreter) return LEAVE;
      throw thrown;
    }
  }

  /**
   * `malloc` and `free`, which are called more often than all other natives together. The window is
   * opened on the new block, because it is written next; its view is null if that is not possible.
   */
  malloc(bytes: Known, at: Instruction): number {
    this.#at = at;
    this.window.view = null;
    return malloc(this.#machine, bytes, this.window);
  }

  free(pointer: Known, at: Instruction): undefined {
    this.#at = at;
    free(this.#machine, pointer);
    return undefined;
  }

  /**
   * Executes a step with the interpreter's handler. Returns false, with nothing changed, if it
   * would fork.
   */
  runStep(step: Step, registers: RegisterValue[]): boolean {
    this.#begin(step.ir);
    try {
      step.run(this.#machine, step, registers);
      return true;
    } catch (thrown) {
      if (thrown === needsInterpreter) return false;
      throw thrown;
    }
  }

  /** Whether the value, or a part of it, is symbolic. */
  isSymbolic(value: RegisterValue): boolean {
    return Array.isArray(value) ? value.some(part => this.isSymbolic(part)) : typeof value === 'object';
  }

  /**
   * Makes the memory arguments of a function and replaces arguments passed by copy. Returns false
   * if the interpreter must do it.
   */
  give(at: CallInstruction, target: DecodedFunction, passing: Passing, args: RegisterValue[]): boolean {
    this.#begin(at);
    try {
      this.given = giveMemory(this.#machine, target, passing, args);
      return true;
    } catch (thrown) {
      if (thrown === needsInterpreter) return false;
      throw thrown;
    }
  }

  /** The function at an address, if compiled code may call it from there. */
  callee(address: Known, call: CallInstruction): DecodedFunction | undefined {
    const target = this.#machine.program.functionAt(Number(address));
    return target !== undefined && mayCall(target, call) ? target : undefined;
  }

  /**
   * Whether these bytes can be read, or also written, directly. If so, the window is opened on
   * their object.
   */
  open(address: Known, bytes: number, root: Known, isForWriting: boolean): boolean {
    if (typeof address !== 'number' || typeof root !== 'number') return false;
    const { window } = this;
    const { memory } = this.#machine.state;
    const isOpen =
      memory.open(window, root, address, isForWriting) ?? memory.open(window, address, address, isForWriting);
    const at = address - window.base[0]!;
    return isOpen === true && at >= window.start && at + bytes <= window.end;
  }

  isStray(from: Known, to: Known): boolean {
    return isStray(this.#machine, from, to);
  }

  /** Begins the scope of a local; returns its new address. */
  enterScope(address: number, align: number, locals: number[] | null, at: Instruction): number {
    this.#at = at;
    return enterScope(this.#machine, address, align, locals ?? []);
  }

  /** Whether a byte of what was just read is uninitialized. */
  isUnwritten(address: number, bytes: number): boolean {
    return this.#machine.state.memory.isUnwritten(address, bytes);
  }

  /** Marks bytes as written whose value is FILLER. */
  markWritten(address: number, bytes: number): void {
    this.#machine.state.memory.markWritten(address, bytes);
  }
}

/** The live registers at the loop heads of a function. */
function findLiveRegisters({ ir, blocks, registers }: DecodedFunction): void {
  const liveness = new Liveness(ir);
  for (const block of blocks) {
    if (!block.isLoopHead || !liveness.cfg.numberOf.has(block.ir)) continue;
    const phis = block.ir.instructions.filter(({ op }) => op === 'phi');
    block.liveRegisters = [...liveness.liveIn(block.ir), ...phis].map(value => registers.get(value)!);
  }
}

/** The registers of a frame: those of the code, then the constants. */
function registersOf({ target, registers }: Spilled): RegisterValue[] {
  return registers.concat(target.template.slice(target.firstConstant));
}
