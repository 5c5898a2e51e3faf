/**
 * What handlers, natives and checks may ask of the machine that runs their path.
 *
 * Each of these interfaces is one kind of request; a function asks for those that it needs and for
 * no more. `Running` is all of them together: what a step gets when it is run. `machine/machine.ts`
 * implements it, and nothing below `machine/` knows how.
 *
 *     Path ◀── Failures ◀── Decisions ◀── Accesses ◀─┬─ Running
 *                                          Frames ◀──┘
 *
 * **Invariant:** a function decides, concretizes and fails before it changes anything, because the
 * copy that a fork makes begins the same instruction again.
 */
import type { Evaluator } from '../../expr/evaluate.js';
import type { Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import type { AnyCode } from '../../findings/codes.js';
import type { FindingFacts, ObjectFacts } from '../../findings/facts.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type { SourceVariable } from '../../ir/debug.js';
import type { CallInstruction, IrFunction } from '../../ir/model.js';
import type { LabelRequest } from '../../labels/flow-rules.js';
import type { Answer as YesOrNo } from '../../solver/query-outcome.js';
import type { Trace } from '../memory/call-trace.js';
import type { ObjectState } from '../memory/object-state.js';
import type { Contents, Origin } from '../memory/origin.js';
import type { Unwritten } from '../memory/unwritten.js';
import type { Known, RegisterValue, Scalar } from '../values/register-value.js';
import type { FloatCircuits } from '../values/symbolic-floats.js';
import type { Choice } from './choices.js';
import type { DecodedBlock, DecodedFunction, Given } from './decoded.js';
import type { Frame } from './frame.js';
import type { Ending } from './path-end.js';
import type { Label } from './path-labels.js';
import type { State, SymbolicStart } from './state.js';

/** The running path, and the makers of terms about it. */
export interface Path {
  /** The state that is running. */
  readonly state: State;
  readonly terms: Terms;
  readonly unwritten: Unwritten;
  /** Undefined without plug-ins. */
  readonly plugins: PluginCalls | undefined;
  /** What is labelled from the beginning. */
  readonly flows: Flows;
}

/** What `--taint` and its relatives ask for, and what values are labelled with. */
export interface Flows {
  readonly request: LabelRequest;
  /** Is anything labelled that the program does not label itself? */
  readonly isActive: boolean;
  /** Does the user ask about this name? */
  isNamed(name: string): boolean;
  /** The label of a term on a path; undefined if it has none. */
  labelOf(state: State, term: Term): Label | undefined;
}

/** The events of a path that plug-ins receive (`natives/plugins.ts`). Each may end it. */
export interface PluginCalls {
  /** The path has come to the hook of this index. */
  fire(machine: Accesses, index: number, values: readonly Scalar[]): void;
  allocated(machine: Accesses, address: number, bytes: number): void;
  freed(machine: Accesses, address: number, bytes: number): void;
  ended(machine: Accesses, status: number): void;
}

/** Endings of the path. */
export interface Failures extends Path {
  /** The calls that lead to the present instruction. */
  trace(): Trace;
  /** Is this an error that is not looked for? Whoever can go on behind it asks before it fails. */
  isUnchecked(code: AnyCode): boolean;
  /**
   * Ends the path with a finding, at the present instruction unless told otherwise; as abandoned if
   * that is not looked for.
   */
  fail(facts: FindingFacts, at?: Trace): never;
  end(ending: Ending): never;
  /** Notes that the path stands for less than all that could happen from here on, and where. */
  note(what: string): void;
  /** What a finding says of an object, on the test that the path would have if it ended here. */
  factsOf(object: ObjectState): ObjectFacts;
  /** The value of a register on that test. */
  onTest(value: Scalar): Known;
  /** Evaluates terms on that test. */
  runOnTest(): Evaluator;
}

/** The least and the greatest value of a term on the path. */
export interface Range {
  readonly min: Known;
  readonly max: Known;
}

/** Queries about the path whose answers become part of its history. */
export interface Queries {
  /** Can the condition hold on this path? */
  mayBeTrue(condition: Term): YesOrNo;
  /** The least and the greatest value that the term can have; undefined if the solver gives up. */
  range(term: Term): Range | undefined;
  /** The value of a term on the test that the path would have if it ended here. */
  valueOnTest(): (term: Term) => Known;
}

/** Forks, and values for what is symbolic. */
export interface Decisions extends Failures {
  readonly questions: Queries;
  /**
   * Does the condition hold? Where both are possible this state goes on with true, and a copy with
   * false.
   */
  decide(condition: Term): boolean;
  /**
   * Restricts the path to inputs for which the condition holds; the path ends silently if there is
   * none.
   */
  assume(condition: Term): void;
  /**
   * Two ways that no input decides, both open: this state goes on, and a copy, which is changed
   * first, begins the instruction again.
   */
  forkFreely(change: (other: State) => void): void;
  /** One value that the term can have on this path. */
  valueOf(term: Term): Known;
  /**
   * A single value for what may have several; `what` is noted, because the other values are not
   * explored.
   */
  concretize(value: Scalar, what: Choice): Known;
  /** Restricts the path to one of the values that a term can have, and notes that. */
  choose(term: Term, value: Known, what: Choice): Known;
  /**
   * Each value that a pointer can have, on a path of its own; bounded, like every fork over
   * pointers.
   */
  eachValue(value: Scalar): Known;
  /** Each value on a path of its own if there are few, else one of them, which is noted. */
  fewValues(value: Scalar, what: Choice): Known;
  /** The float or double in a register; one of its values, if it has many. */
  float(bits: number, value: Scalar): number;
  /** One value, for something that the rest of the path does not depend on. */
  concretizeQuietly(value: Scalar): Known;
  /** A pointer without a base is tried on one more object. */
  countResolution(): void;
}

/** Pointers that have left their object (`access/strays.ts`). */
export interface StrayPointers {
  /** The pointer `to`, computed from the object at `from`. */
  make(path: Path, from: Known, to: Known): Term;
  /** The address of the object that a pointer has left; undefined if it is not such a pointer. */
  originOf(pointer: Scalar): number | undefined;
}

/** Accesses to the memory of the path. */
export interface Accesses extends Decisions {
  readonly strays: StrayPointers;
}

/** What handlers look up in the program. */
export interface ProgramTable {
  readonly layout: DataLayout;
  /** In the order in which they are to run. */
  readonly constructors: readonly DecodedFunction[];
  functionAt(address: number): DecodedFunction | undefined;
  /** `ir/signatures.ts`. */
  signatureOf(target: IrFunction): string;
  /** Is there a function of this name, with a body? */
  isDefined(name: string): boolean;
  functionNamed(name: string): DecodedFunction | undefined;
  /** Gives an object what the variable at the address holds when the program begins. */
  initialize(address: number, object: ObjectState): void;
  /** The address of a variable. */
  variableNamed(name: string): number | undefined;
}

/** Compiled code, as the interpreter sees it (`compile/runner.ts`). */
export interface CompiledCode {
  readonly isRunning: boolean;
  /** The interpreter runs the path. */
  isSuspended: boolean;
  /** A native would fork: the interpreter must run it, and will ask again what it has asked. */
  abandon(): never;
  /**
   * Calls a function; undefined if the interpreter should, because something is symbolic or it
   * would not be worth it.
   */
  call(
    target: DecodedFunction,
    args: readonly RegisterValue[],
    given: Given,
  ): { readonly value: RegisterValue | undefined } | 'spilled' | undefined;
}

/** Where execution goes on. */
export interface Frames extends Failures {
  readonly program: ProgramTable;
  readonly runner: CompiledCode;
  /** Goes to a block of the running function, by the edge from the present one. */
  enter(block: DecodedBlock): void;
  /** A frame for the function on top of the running one. */
  push(target: DecodedFunction, args: readonly RegisterValue[], given?: Given): void;
  /** Calls a constructor; when it returns, the running step is run again and calls the next. */
  pushConstructor(target: DecodedFunction): void;
  /** Another call must not be nested too deep. */
  checkDepth(): void;
  /** Ends the running activation: its locals are gone, the caller goes on behind its call. */
  returnFrom(value: RegisterValue | undefined): void;
  /** Another stack: one that was left, or the first activation of a thread that begins. */
  changeStack(frame: Frame | undefined, begin: DecodedFunction | undefined): void;
  /**
   * Abandons activations until the one of the serial number is on top. Returns whether there was
   * one.
   */
  unwindTo(serial: number): boolean;
  /**
   * Like `end`, for a step that has nothing more to do: most paths end at an exit, and throwing
   * takes as long as a good part of a short path.
   */
  endAfterStep(ending: Ending): void;
}

/** Calls functions that the program does not have (`machine/external.ts`). */
export interface ExternalCalls {
  /** The function's result; undefined if it has none. Fails where there is no such function. */
  call(
    machine: Decisions,
    name: string,
    call: CallInstruction,
    args: readonly Scalar[],
  ): RegisterValue | undefined;
}

/** Which schedules are run: one of those that differ in nothing that matters, or every one. */
export type ThreadExploration = 'reduced' | 'every schedule';

/** What handlers and natives get. */
export interface Running extends Accesses, Frames {
  readonly floats: FloatCircuits;
  /** Undefined unless `--external` allows such calls. */
  readonly external: ExternalCalls | undefined;
  readonly symbolicStart: SymbolicStart;
  /** Do threads have stacks, and paths fork over who goes on? */
  readonly exploresThreads: ThreadExploration | undefined;
  /** Paths that have ended because a thread waits in a loop. */
  spins: number;
  /** What new objects hold. */
  readonly newContents: Contents;
  /** The origins of the last blocks of the heap, by size. */
  readonly lastBlocks: (Origin | undefined)[];
  /** The origin of the last local of each variable. */
  readonly localOrigins: Map<SourceVariable | 'variadic' | undefined, Origin>;
}
