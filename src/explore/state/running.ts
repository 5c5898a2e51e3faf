/**
 * The interfaces through which handlers, natives and checks use the machine.
 *
 * Each interface is one kind of request; a function takes only those that it needs. `Running`
 * combines all of them and is passed to each step. `machine/machine.ts` implements it, and nothing
 * below `machine/` knows how.
 *
 *     Path ◀── Failures ◀── Decisions ◀── Accesses ◀─┬─ Running
 *                                          Frames ◀──┘
 *
 * **Invariant:** a function decides, concretizes and fails before it changes anything, because a
 * forked state executes the same instruction again.
 */
import type { Evaluator } from '../../expr/evaluate.js';
import type { Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import type { AnyCode } from '../../findings/codes.js';
import type { FindingFacts, ObjectFacts } from '../../findings/facts.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type { CallInstruction, IrFunction } from '../../ir/model.js';
import type { LabelRequest } from '../../labels/flow-rules.js';
import type { DescribedLocal } from '../../passes/described-locals.js';
import type { Unknown, YesOrNo } from '../../solver/query-outcome.js';
import type { Trace } from '../memory/call-trace.js';
import type { ObjectState } from '../memory/object-state.js';
import type { Origin, OriginContents } from '../memory/origin.js';
import type { Unwritten } from '../memory/unwritten.js';
import type { Known, RegisterValue, Scalar } from '../values/register-value.js';
import type { FloatCircuits } from '../values/symbolic-floats.js';
import type { Choice } from './choices.js';
import type { DecodedBlock, DecodedFunction, StepParts } from './decoded.js';
import type { Frame } from './frame.js';
import type { Ending } from './path-end.js';
import type { Label } from './path-labels.js';
import type { State, SymbolicStart } from './state.js';

/** The running path, and the term builders. */
export interface Path {
  /** The running state. */
  readonly state: State;
  readonly terms: Terms;
  readonly unwritten: Unwritten;
  /** Undefined without plug-ins. */
  readonly plugins: PluginCalls | undefined;
  /** The initial labels. */
  readonly flows: Flows;
}

/** The label options, and the labels of values. */
export interface Flows {
  readonly request: LabelRequest;
  /** Whether anything is labelled besides what the program labels itself. */
  readonly isActive: boolean;
  /** Whether the options request this name. */
  isNamed(name: string): boolean;
  /** The label of a term on a path; undefined if it has none. */
  labelOf(state: State, term: Term): Label | undefined;
}

/** The events of a path for plug-ins (`natives/path-plugins.ts`). Each may end it. */
export interface PluginCalls {
  /** The path has reached the hook with this index. */
  fire(machine: Accesses, index: number, values: readonly Scalar[]): void;
  allocated(machine: Accesses, address: number, bytes: number): void;
  freed(machine: Accesses, address: number, bytes: number): void;
  ended(machine: Accesses, status: number): void;
}

/** Endings of the path. */
export interface Failures extends Path {
  /** The calls that lead to the current instruction. */
  trace(): Trace;
  /**
   * Whether the check for this error is turned off. Callers that can continue after the error test
   * this before they fail.
   */
  isUnchecked(code: AnyCode): boolean;
  /**
   * Ends the path with a finding, at the current instruction unless another is given; as abandoned
   * if the check is turned off.
   */
  fail(facts: FindingFacts, at?: Trace): never;
  end(ending: Ending): never;
  /** Notes that the path covers less than everything that could happen from here on, and where. */
  note(what: string): void;
  /** The facts of an object on the test that the path would have if it ended here. */
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
  /** Whether the condition can hold on this path. */
  mayBeTrue(condition: Term): YesOrNo;
  /** Abandons the path, which cannot continue without an answer. */
  giveUp(reason: Unknown): never;
  /** The least and the greatest value of the term; undefined if the solver gives up. */
  range(term: Term): Range | undefined;
  /** The value of a term on the test that the path would have if it ended here. */
  valueOnTest(): (term: Term) => Known;
}

/** Forks, and concretization. */
export interface Decisions extends Failures {
  readonly queries: Queries;
  /**
   * Whether the condition holds. If both are possible, this state continues with true and a copy
   * with false.
   */
  decide(condition: Term): boolean;
  /**
   * Restricts the path to inputs for which the condition holds; the path ends silently if there are
   * none.
   */
  assume(condition: Term): void;
  /**
   * Forks into two feasible states that no input decides: this state continues; the copy is changed
   * first and executes the instruction again.
   */
  forkFreely(change: (other: State) => void): void;
  /** One value that the term can have on this path. */
  valueOf(term: Term): Known;
  /** Concretizes a value; `what` is noted, because the other values are not explored. */
  concretize(value: Scalar, what: Choice): Known;
  /** Restricts the path to one value of a term, and notes that. */
  choose(term: Term, value: Known, what: Choice): Known;
  /**
   * Forks a path for each value that a pointer can have; bounded, like every fork over pointers.
   */
  eachValue(value: Scalar): Known;
  /** Forks a path for each value if there are few; otherwise concretizes it, which is noted. */
  fewValues(value: Scalar, what: Choice): Known;
  /** The float or double in a register; concretized if it has many values. */
  float(bits: number, value: Scalar): number;
  /** One value for something that the rest of the path does not depend on. */
  concretizeQuietly(value: Scalar): Known;
  /** Counts another object on which a pointer without a base is tried. */
  countResolution(): void;
}

/** Pointers that have left their object (`access/strays.ts`). */
export interface StrayPointers {
  /** Makes the pointer `to`, derived from the object at `from`. */
  make(path: Path, from: Known, to: Known): Term;
  /** The address of the object that a pointer has left; undefined if it is no such pointer. */
  originOf(pointer: Scalar): number | undefined;
}

/** Accesses to the memory of the path. */
export interface Accesses extends Decisions {
  readonly strays: StrayPointers;
}

/** The program, as far as handlers use it. */
export interface ProgramTable {
  readonly layout: DataLayout;
  /** In the order in which they are executed. */
  readonly constructors: readonly DecodedFunction[];
  functionAt(address: number): DecodedFunction | undefined;
  /** `ir/signatures.ts`. */
  signatureOf(target: IrFunction): string;
  /** Whether there is a function of this name with a body. */
  isDefined(name: string): boolean;
  functionNamed(name: string): DecodedFunction | undefined;
  /** Initializes an object with the initial value of the variable at the address. */
  initialize(address: number, object: ObjectState): void;
  /** The address of a variable. */
  variableNamed(name: string): number | undefined;
}

/** Compiled code from the view of the interpreter (`compile/runner.ts`). */
export interface CompiledCode {
  readonly isRunning: boolean;
  /** The interpreter must execute the path. */
  isSuspended: boolean;
  /** The native would fork: the interpreter must execute it, and repeats its decisions. */
  abandon(): never;
  /**
   * Calls a function; undefined if the interpreter should, because a value is symbolic or compiled
   * code is not worthwhile.
   */
  call(
    target: DecodedFunction,
    args: readonly RegisterValue[],
    given: StepParts,
  ): { readonly value: RegisterValue | undefined } | 'spilled' | undefined;
}

/** Control flow. */
export interface Frames extends Failures {
  readonly program: ProgramTable;
  readonly runner: CompiledCode;
  /** Enters a block of the running function through the edge from the current one. */
  enter(block: DecodedBlock): void;
  /** Pushes a frame for the function. */
  push(target: DecodedFunction, args: readonly RegisterValue[], given?: StepParts): void;
  /**
   * Calls a constructor; when it returns, the current step is executed again and calls the next
   * one.
   */
  pushConstructor(target: DecodedFunction): void;
  /** Fails if calls are nested too deeply. */
  checkDepth(): void;
  /** Ends the running activation: its locals end, and the caller continues after its call. */
  returnFrom(value: RegisterValue | undefined): void;
  /** Switches to another stack: a suspended one, or the first activation of a new thread. */
  changeStack(frame: Frame | undefined, begin: DecodedFunction | undefined): void;
  /** Unwinds to the activation with the serial number. Returns whether there was one. */
  unwindTo(serial: number): boolean;
  /**
   * Like `end`, for a step that is complete: most paths end at an exit, and throwing would take as
   * long as much of a short path.
   */
  endAfterStep(ending: Ending): void;
}

/** Calls external functions (`machine/external.ts`). */
export interface ExternalCalls {
  /** The function's result; undefined if it has none. Fails if there is no such function. */
  call(
    machine: Decisions,
    name: string,
    call: CallInstruction,
    args: readonly Scalar[],
  ): RegisterValue | undefined;
}

/** The schedules that are explored: one of each equivalence class, or every one. */
export type ThreadExploration = 'reduced' | 'every schedule';

/** The interface for handlers and natives. */
export interface Running extends Accesses, Frames {
  readonly floats: FloatCircuits;
  /** Undefined unless `--external` allows such calls. */
  readonly external: ExternalCalls | undefined;
  readonly symbolicStart: SymbolicStart;
  /** Whether threads have stacks, and paths fork over the thread that runs next. */
  readonly exploresThreads: ThreadExploration | undefined;
  /** The number of paths that have ended because a thread spins. */
  spins: number;
  /** The contents of new objects. */
  readonly newContents: OriginContents;
  /** The origins of the last heap blocks, by size. */
  readonly lastBlocks: (Origin | undefined)[];
  /** The origin of the last local of each variable. */
  readonly localOrigins: Map<DescribedLocal | 'variadic' | undefined, Origin>;
}
