/**
 * What compiled code and the interpreter say to each other.
 *
 *     interpreter ──call, resume──▶ compiled code ─┬─ returns a value
 *                                                  └─ SPILL: its frames, from the inside to the outside, are in `spilled`
 *
 * While compiled code runs, the state's topmost frame is the interpreter's last one; the calls
 * above it are only in JavaScript's stack and, for stacks of allocations and errors, in `sites`.
 *
 * **Invariant:** a native or a handler that compiled code calls has changed nothing when it needs
 * to fork. So it is abandoned by throwing, and run again by the interpreter.
 */

import * as V from '../../expr/value.js';
import type { CallInstruction, Instruction } from '../../ir/model.js';
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
  type Given,
  isGivenMemory,
  type Native,
  NOTHING_GIVEN,
  SPILL,
  type Step,
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

/** What a native returns that has to be run by the interpreter. */
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

/** Compiled code that leaves before it has run this many instructions was not worth entering. */
const WORTHWHILE = 60;
const LONGEST_PENALTY = 4096;

/**
 * Loops are left soon when they are entered for the first times. V8 optimises a loop that has never
 * been left for staying in it for ever, and throws the code away when the turn is over; one that it
 * has seen leaving keeps its code. For the same reason a new loop asks at each access whether what
 * it reads was written, which it otherwise does only if it meets FILLER. So many instructions are
 * enough for V8 to begin to watch a loop, and too few to optimise it.
 */
const SOON = 800;

/** JavaScript's stack has room for so many nested calls; deeper ones go on in frames. */
const MOST_CALLS = 600;

/** Functions of compiled code, and values past 2^53. */
const helpers = {
  POWERS: Array.from({ length: 64 }, (_, i) => 2 ** i),
  fromHalves,
  bitsOfFloat,
  floatFromBits,
  address: (base: Known, index: Known, bits: number, stride: number, offset: Known): Known =>
    V.toValue(64, BigInt(base) + BigInt(V.toSigned(bits, index)) * BigInt(stride) + BigInt(offset)),
  /** The result of a signed operation, or -1 if it overflows. */
  checked(op: 'add' | 'sub' | 'mul', width: number, a: Known, b: Known): Known {
    const [x, y] = [BigInt(V.toSigned(width, a)), BigInt(V.toSigned(width, b))];
    const exact = op === 'add' ? x + y : op === 'sub' ? x - y : x * y;
    return BigInt.asIntN(width, exact) === exact ? V.toValue(width, exact) : -1;
  },
};

/** What compiled code needs of the machine, beside what natives and handlers do. */
interface Interpreter extends Running {
  readonly program: Program;
  /** Copies made by `decide` since the explorer last looked. */
  readonly forked: readonly unknown[];
  /** A block is run for the first time. */
  cover(block: number): void;
  /** A frame that goes on in the middle, on top of the running one. */
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
   * By `Counter`. Not fields: V8 compiles what uses an object anew when a field that held small
   * integers gets another number.
   */
  readonly counters: Float64Array = new Float64Array(7);
  readonly covered: Uint8Array;
  /** The calls that compiled code is in, outermost first. */
  readonly sites: Instruction[] = [];
  isDisabled = false;
  /** The interpreter wants to see every loop head of the running path. */
  isSuspended = false;
  /** For the function that is called next, if it takes anything. */
  given: Given = NOTHING_GIVEN;
  /**
   * Compiled code leaves because of a function that is not compiled yet, which does not count
   * against the code.
   */
  leavesForCold = false;
  /** What compiled code last asked for. */
  readonly window: Window = new Window();
  /** The native that is being called, while compiled code runs. */
  #at: Instruction | undefined;
  /** What the path had been told before that call. */
  #history!: History;
  #baseCalls: Trace | undefined;
  #isRunning = false;
  /** By depth, the call that the last stack had there. */
  readonly #lastTraces: (Trace | undefined)[] = [];
  #spilled: Spilled[] = [];

  constructor(machine: Interpreter, blocks: number) {
    this.#machine = machine;
    this.covered = new Uint8Array(blocks);
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** A native would fork: the interpreter must run it, and will ask again what it has asked. */
  abandon(): never {
    this.#machine.state.history = this.#history;
    throw needsInterpreter;
  }

  /** The stack of the present native call. */
  trace(): Trace {
    assert(this.#at !== undefined, 'compiled code asks for its stack in natives only');
    let calls = this.#baseCalls;
    const nested = this.counters[Counter.calls]!;
    for (let i = 0; i < nested; i++) calls = this.#traceAt(i, this.sites[i]!, calls);
    return this.#traceAt(nested, this.#at, calls);
  }

  /** Most stacks are those of the call before: they are made once. */
  #traceAt(depth: number, at: Instruction, calls: Trace | undefined): Trace {
    const last = this.#lastTraces[depth];
    if (last !== undefined && last.at === at && last.calls === calls) return last;
    const trace = { at, calls };
    this.#lastTraces[depth] = trace;
    return trace;
  }

  /** The code of a function that is called for the first time. */
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
   * Calls a function; undefined if the interpreter should, because something is symbolic or it
   * would not be worth it.
   */
  call(
    target: DecodedFunction,
    args: readonly RegisterValue[],
    given: Given,
  ): { readonly value: RegisterValue | undefined } | 'spilled' | undefined {
    // A state that has forked stops where it enters a function.
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

  /**
   * Goes on with the topmost frame, which is at the beginning of a block. Returns whether it did.
   */
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

  /** `depth` is that of the frame that the code has, or would have. */
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

  /** Code that leaves at once is entered less and less often. */
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

  /** Frames for the calls that compiled code was in. */
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
   * A loop that is new leaves after a few iterations, and asks at each access what it mostly need
   * not.
   */
  leaveSoon(): void {
    const { counters } = this;
    counters[Counter.isNew] = 1;
    counters[Counter.leave] = Math.min(counters[Counter.latest]!, counters[Counter.instructions]! + SOON);
  }

  cover(block: number): void {
    this.#machine.cover(block);
  }

  /** The locals of the frame that goes on in compiled code. */
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
    at: Instruction,
  ): number {
    this.#at = at;
    const address = newLocal(this.#machine, bytes, align, target.variables.get(at));
    locals.push(address);
    return address;
  }

  endCompiledLocals(locals: readonly number[]): void {
    endLocals(this.#machine, locals);
  }

  /** Something begins that may turn out to be the interpreter's. */
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
   * open on the new block, unless its view is null: the block will be written next.
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

  /** Runs a step as the interpreter does. Returns false, with nothing changed, if it would fork. */
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

  /** Is the value symbolic, or a part of it? */
  isSymbolic(value: RegisterValue): boolean {
    return Array.isArray(value) ? value.some(part => this.isSymbolic(part)) : typeof value === 'object';
  }

  /**
   * Makes what a function takes beside its registers, and sets the arguments that are copies.
   * Returns false if the interpreter must.
   */
  give(at: CallInstruction, passing: Passing, args: RegisterValue[]): boolean {
    this.#begin(at);
    try {
      this.given = giveMemory(this.#machine, passing, args, at.functionType.variadic);
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
   * May these bytes be read, or also written, without more ado? Then the window is open on their
   * object.
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

  /** The scope of a local begins; its address from now on. */
  enterScope(address: number, align: number, locals: number[] | null, at: Instruction): number {
    this.#at = at;
    return enterScope(this.#machine, address, align, locals ?? []);
  }

  /** Has the program never written some byte of what was just read? */
  isUnwritten(address: number, bytes: number): boolean {
    return this.#machine.state.memory.isUnwritten(address, bytes);
  }

  /** What was just written holds FILLER. */
  markWritten(address: number, bytes: number): void {
    this.#machine.state.memory.markWritten(address, bytes);
  }
}

/** What is live at the loop heads of a function. */
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
