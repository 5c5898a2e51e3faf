/**
 * The program in the form that the interpreter executes: operands are register numbers, and each
 * step has its handler.
 */
import type { Print } from '../../expr/term-print.js';
import type {
  AllocaInstruction,
  Argument,
  Block,
  Instruction,
  IrFunction,
  Value as IrValue,
} from '../../ir/model.js';
import type { DescribedLocal } from '../../passes/described-locals.js';
import type { RegisterValue, Scalar } from '../values/register-value.js';
import type { Running } from './running.js';

/**
 * Executes a step. Returns `true` if the step has changed the frame or ended the path, so that the
 * loop must reload.
 *
 * `Operand` is the type of the values in the registers that the handler reads and writes. The
 * decoder gives a handler only steps on values of such types, as the types of the IR guarantee, so
 * nothing is checked at run time.
 */
export type Handler<Detail, Operand extends RegisterValue = Scalar> = (
  machine: Running,
  step: Step<Detail>,
  regs: Operand[],
) => true | undefined;

interface StepOptions<Detail, Operand extends RegisterValue> {
  readonly run: Handler<Detail, Operand>;
  readonly ir: Instruction;
  readonly into?: number;
  readonly a?: number;
  readonly b?: number;
  readonly c?: number;
  readonly width?: number;
}

/** One instruction. `a`, `b`, `c` and `into` are registers, which the handler interprets. */
export class Step<Detail = unknown> {
  readonly run: Handler<Detail, RegisterValue>;
  readonly into: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** Bits of the operation. */
  readonly width: number;
  readonly detail: Detail;
  readonly ir: Instruction;

  private constructor(
    run: Handler<Detail, RegisterValue>,
    detail: Detail,
    { into = 0, a = 0, b = 0, c = 0, width = 0, ir }: Omit<StepOptions<Detail, never>, 'run'>,
  ) {
    this.run = run;
    this.into = into;
    this.a = a;
    this.b = b;
    this.c = c;
    this.width = width;
    this.detail = detail;
    this.ir = ir;
  }

  static of<Operand extends RegisterValue>(options: StepOptions<undefined, Operand>): Step;
  static of<Detail, Operand extends RegisterValue>(
    options: StepOptions<Detail, Operand> & { readonly detail: Detail },
  ): Step;
  static of<Detail, Operand extends RegisterValue>(
    options: StepOptions<Detail, Operand> & { readonly detail?: Detail },
  ): Step {
    // Pairs a handler with its detail. TypeScript has no existential type for "some detail, and a
    // handler of such", and code that executes the step needs none.
    return new Step(options.run as unknown as Handler<unknown, RegisterValue>, options.detail, options);
  }
}

/** The moves of a block's phis for one predecessor: `into[i] = regs[from[i]]`, all at once. */
export interface PhiMoves {
  readonly into: readonly number[];
  readonly from: readonly number[];
  /** No move reads what an earlier one writes, so they can be made in sequence. */
  readonly areApart: boolean;
}

export interface DecodedBlock {
  /** Unique in the program: the index of coverage tables. */
  readonly id: number;
  readonly ir: Block;
  readonly target: DecodedFunction;
  /** Its index in its function. */
  readonly index: number;
  steps: readonly Step[];
  /** The fingerprints of steps (`placeOf` in `search/path-memo.ts`), as far as they were needed. */
  readonly places: (Print | undefined)[];
  /** The number of instructions that executing it counts for. */
  instructions: number;
  /** Indexed by the id of the predecessor. */
  readonly phis: Map<number, PhiMoves>;
  /** The target of a back edge: a frame that arrives here may continue in compiled code. */
  isLoopHead: boolean;
  /**
   * A time slice may end at its beginning: a loop head, or the start of a function that calls
   * others (see `isAtSlicePoint`).
   */
  isSlicePoint: boolean;
  /** The registers that are live at a loop head; computed on demand. */
  liveRegisters: readonly number[] | undefined;
  /**
   * How often compiled code is skipped before it is entered here again, and the previous number.
   */
  skips: number;
  penalty: number;
  /** How often compiled code was entered here, as far as it matters. */
  resumes: number;
}

/**
 * Whether a caller makes objects for the function: copies of arguments, or a list of variable
 * arguments.
 */
export function isGivenMemory({ functionType, arguments: parameters }: IrFunction): boolean {
  return functionType.variadic || parameters.some(({ attributes }) => attributes.has('byval'));
}

/** The native has changed the frame, so the interpreter must reload. */
export const SWITCHED: unique symbol = Symbol('switched');

/**
 * The arguments of a native: as many as its prototype has, all of them scalars, because clang
 * passes structs to C library functions by address. Deviating declarations of the program are not
 * considered.
 */
export type CallArguments = readonly [Scalar, Scalar, Scalar, Scalar, Scalar, Scalar, ...Scalar[]];

export function argumentsOf(values: readonly RegisterValue[]): CallArguments {
  return values as unknown as CallArguments;
}

/** A function that the engine implements. Returns the result; undefined for none. */
export type Native = (machine: Running, args: CallArguments) => RegisterValue | undefined | typeof SWITCHED;

/** Returned by compiled code that has exited before its end. */
export const SPILL: unique symbol = Symbol('spill');

/**
 * A function as JavaScript: begins at a block with the registers of a frame, or at its start with
 * arguments.
 */
export type Compiled = (
  runner: Compiler,
  registers: readonly RegisterValue[] | null,
  block: number,
  ...args: RegisterValue[]
) => RegisterValue | undefined | typeof SPILL;

export interface Compiler {
  /** Compiles a function that is called for the first time. */
  compile(target: DecodedFunction): Compiled;
}

/**
 * The memory arguments of a call: objects that end with it, and the address of the variable
 * arguments.
 */
export interface StepParts {
  readonly locals: number[];
  readonly variadics: number;
}

export const NOTHING_GIVEN: StepParts = { locals: [], variadics: 0 };

export interface DecodedFunction {
  readonly ir: IrFunction;
  readonly name: string;
  readonly address: number;
  /** The engine's implementation, if any. */
  readonly native: Native | undefined;
  /** Empty until the function is first called. */
  blocks: readonly DecodedBlock[];
  /** The registers of a new frame: arguments first, constants filled in. */
  template: readonly RegisterValue[];
  /** The register of each value, and the first of a constant. */
  registers: ReadonlyMap<IrValue, number>;
  firstConstant: number;
  /** What its locals are called. */
  locals: ReadonlyMap<AllocaInstruction | Argument, DescribedLocal>;
  /** Steps after which a pointer may have left its object. */
  strays: ReadonlySet<Instruction>;
  /**
   * The lines of its blocks; undefined until it is first called, and for functions of the library.
   */
  lines: ReadonlyMap<Block, readonly number[]> | undefined;
  isDecoded: boolean;
  /** Initially a stub that compiles the function when it is first called. */
  compiled: Compiled;
  /** The interpreter has not yet executed the function often enough to use compiled code. */
  isCold: boolean;
  skips: number;
  penalty: number;
}
