/**
 * The program in the form that the interpreter runs: operands are register numbers, each step knows
 * its handler.
 */
import type { SourceVariable } from '../../ir/debug.js';
import type { Block, Instruction, IrFunction, Value as IrValue } from '../../ir/model.js';
import type { RegisterValue, Scalar } from '../values/register-value.js';
import type { Running } from './running.js';

/**
 * Runs a step. `true` when the step has changed the frame or ended the path, so that the loop must
 * look again.
 *
 * `Operand` is what the handler finds in the registers that it reads and puts into the one that it
 * writes. The decoder gives a handler only steps on values of such types: that is what the types of
 * the IR are for, so nothing is checked when the step is run.
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

/**
 * One instruction. `a`, `b`, `c` and `into` are registers; what they mean is the handler's
 * business.
 */
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
    // Here a handler and its detail meet, once and for all. What they agree on is of no interest to
    // whoever runs the step, and TypeScript has no type for "some detail, and a handler of such".
    return new Step(options.run as unknown as Handler<unknown, RegisterValue>, options.detail, options);
  }
}

/**
 * What a block's phis take when it is entered from one predecessor: `into[i] = regs[from[i]]`, all
 * at once.
 */
export interface PhiMoves {
  readonly into: readonly number[];
  readonly from: readonly number[];
  /** No move reads what one before it writes, so they can be made one after the other. */
  readonly areApart: boolean;
}

export interface DecodedBlock {
  /** Unique in the program: the index of coverage tables. */
  readonly id: number;
  readonly ir: Block;
  readonly target: DecodedFunction;
  /** Which block of its function it is. */
  readonly index: number;
  steps: readonly Step[];
  /** How many instructions running it counts for. */
  instructions: number;
  /** By the id of the predecessor. */
  readonly phis: Map<number, PhiMoves>;
  /** A loop comes back to it: a frame that arrives here may go on in compiled code. */
  isLoopHead: boolean;
  /**
   * A turn may be over where it begins: a loop head, or the start of a function that calls others
   * (see `isAtTurnPoint`).
   */
  isTurnPoint: boolean;
  /** The registers that are live at a loop head; computed on demand. */
  liveRegisters: readonly number[] | undefined;
  /**
   * How often to pass by compiled code before it is entered here again, and how often the last
   * time.
   */
  skips: number;
  penalty: number;
  /** How often compiled code was entered here, as far as it matters. */
  resumes: number;
}

/** Does a caller make objects for the function: copies of arguments, a list of variable ones? */
export function isGivenMemory({ functionType, arguments: parameters }: IrFunction): boolean {
  return functionType.variadic || parameters.some(({ attributes }) => attributes.has('byval'));
}

/** The native has changed the frame: the interpreter looks again. */
export const SWITCHED: unique symbol = Symbol('switched');

/**
 * The arguments of a native: as many as its prototype has, and all of them scalars, since clang
 * passes structs to functions of the C library by their address. What a program passes that has
 * declared such a function otherwise is not looked at.
 */
export type Arguments = readonly [Scalar, Scalar, Scalar, Scalar, Scalar, Scalar, ...Scalar[]];

export function argumentsOf(values: readonly RegisterValue[]): Arguments {
  return values as unknown as Arguments;
}

/**
 * What the engine supplies instead of a function of the program. Returns the result; undefined for
 * none.
 */
export type Native = (machine: Running, args: Arguments) => RegisterValue | undefined | typeof SWITCHED;

/** What compiled code returns when it has left before its end. */
export const SPILL: unique symbol = Symbol('spill');

/**
 * A function as JavaScript: begins at a block, with the registers of a frame; or at its start, with
 * arguments.
 */
export type Compiled = (
  runner: Compiler,
  registers: readonly RegisterValue[] | null,
  block: number,
  ...args: RegisterValue[]
) => RegisterValue | undefined | typeof SPILL;

export interface Compiler {
  /** The code of a function that is called for the first time. */
  compile(target: DecodedFunction): Compiled;
}

/**
 * What a caller has made for a function: objects that end with the call, and where the variable
 * arguments lie.
 */
export interface Given {
  readonly locals: number[];
  readonly variadics: number;
}

export const NOTHING_GIVEN: Given = { locals: [], variadics: 0 };

export interface DecodedFunction {
  readonly ir: IrFunction;
  readonly name: string;
  readonly address: number;
  /** What the engine supplies instead of it. */
  readonly native: Native | undefined;
  /** Empty until the function is first called. */
  blocks: readonly DecodedBlock[];
  /** The registers of a new frame: arguments first, constants filled in. */
  template: readonly RegisterValue[];
  /** The register of each value, and the first of a constant. */
  registers: ReadonlyMap<IrValue, number>;
  firstConstant: number;
  /** What the source calls the locals. */
  variables: ReadonlyMap<Instruction, SourceVariable>;
  /** Steps after which a pointer may have left its object. */
  strays: ReadonlySet<Instruction>;
  /**
   * The lines of its blocks; undefined until it is first called, and for functions of the library.
   */
  lines: ReadonlyMap<Block, readonly number[]> | undefined;
  isDecoded: boolean;
  /** Compiles itself when it is first called. */
  compiled: Compiled;
  /**
   * The interpreter has not yet passed by the compiled code as often as it does at the beginning.
   */
  isCold: boolean;
  skips: number;
  penalty: number;
}
