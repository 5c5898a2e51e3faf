/**
 * One function: its frame in the call stack, its locals, and a check before each access.
 *
 * **Locals.** A local that `mem2reg` left in memory is a block like any other: it begins at
 * `lifetime.start` (at the entry if there are no markers), ends at `lifetime.end` or on return, and
 * gets a new referent number each time it begins. The pointer with the current number is kept in a
 * cell, and each use of the local loads it; clang's optimiser turns the cells into values. The
 * markers themselves are removed, because the optimiser must not treat a use after the end as
 * undefined.
 *
 * **Calls.** A function with calls allocates a slot of the call stack at its entry, stores the site
 * of each call in it before the call, and releases it on return. `call-checks.ts` has the checks
 * before a call.
 *
 * The file has more than 800 lines because all its methods share the state of one function: the
 * rewriter, the frame, and the cells of locals. What can be decided without that state is in files
 * of its own.
 */
import type { SourceLocation } from '../../findings/finding.js';
import { localName } from '../../findings/words/object-words.js';
import { AttributeSet, attribute } from '../../ir/attributes.js';
import { Builder, getOrDeclareFunction } from '../../ir/builder.js';
import { calledName, returnsTwice } from '../../ir/called-functions.js';
import { integerConstant, isConstant, nullConstant, zeroConstant } from '../../ir/constants.js';
import type { DataLayout } from '../../ir/data-layout.js';
import { functionLocation, stackOf } from '../../ir/debug.js';
import { reversePostorder } from '../../ir/dominance.js';
import type {
  AllocaInstruction,
  Argument,
  Block,
  CallInstruction,
  Constant,
  Instruction,
  IrFunction,
  Module,
  PhiInstruction,
  ReturnInstruction,
  Value,
} from '../../ir/model.js';
import { mapOperands } from '../../ir/operands.js';
import { arrayType, type FunctionType, functionType, i8, i32, i64, ptr, voidType } from '../../ir/types.js';
import { SinkPoints } from '../../labels/sink-points.js';
import { unboxedName } from '../../passes/boxed-pointers.js';
import type { DescribedLocal } from '../../passes/described-locals.js';
import { DominatorTree } from '../../passes/dominators.js';
import { definedName, readName, writeName } from '../../passes/inlined-functions.js';
import { isCompoundLiteral } from '../../passes/literal-scopes.js';
import { lostGotoName } from '../../passes/number-block-addresses.js';
import { listName } from '../../passes/variadic-lists.js';
import { isLifetimeMarker } from '../../passes/whole-locals.js';
import { AccessChecks } from './access-checks.js';
import { CallChecks } from './call-checks.js';
import {
  isBulkIntrinsic,
  isByValue,
  isDynamicAlloca,
  isRawLoop,
  isRealCall,
  isVariadicStart,
} from './call-kinds.js';
import { accessWord, type CheckBuilder } from './checks.js';
import type { EmptyFunctions } from './empty-functions.js';
import { addFastLoops, type FastLoops, noFastLoops } from './fast-loops.js';
import { Frame, type FrameRegion, frameRegion, wholeFrame } from './frame-region.js';
import type { Globals } from './globals.js';
import { honestAttributes } from './honest-attributes.js';
import { blocksOverBudget } from './inline-budget.js';
import { LabelFlow } from './label-flow.js';
import { marksOf } from './marks.js';
import { accessOf, type MemoryAccess, wholePointer } from './memory-access.js';
import { type InstrumentOptions, isShadowAlone } from './options.js';
import { isInBounds, pointerOrigin } from './pointer-origin.js';
import { type InitialCopies, isAtomic, RaceChecks } from './race-checks.js';
import {
  asksFirst,
  isQuestion,
  needsSlot,
  type RangeOperation,
  RangeOperations,
  rangeOperationOf,
} from './range-questions.js';
import { noRedundantChecks, type RedundantChecks, redundantChecks } from './redundant-checks.js';
import { reuseLoads } from './repeated-loads.js';
import { FunctionRewriter } from './rewriter.js';
import type { Runtime } from './runtime.js';
import type { NumberedFunction } from './signature-numbers.js';
import type { SiteTable } from './site-table.js';
import { apartName } from './small-copies.js';
import { strictLoads, UndefinedValues } from './undefined-values.js';
import { HookWeaver, type WeaveContext } from './weave-hooks.js';

/**
 * The redzone before and after a local in the mode without numbers: `LOCAL_REDZONE` of
 * `runtime/monitor/objects.h`.
 */
const localRedzone = 16;

export interface Context {
  readonly module: Module;
  readonly layout: DataLayout;
  readonly options: InstrumentOptions;
  readonly globals: Globals;
  /** The functions whose address the module takes. */
  readonly functions: readonly NumberedFunction[];
  readonly sites: SiteTable;
  readonly runtime: Runtime;
  readonly checks: CheckBuilder;
  /** Replacements for functions that cannot be called. */
  readonly emptyFunctions: EmptyFunctions;
  /** The signature before instrumentation. */
  signatureOf(target: IrFunction): string;
  /** Whether a check or an annotation queries the memory of the pointer. */
  isAskedAbout(pointer: Value): boolean;
  mayUnsettle(call: CallInstruction): boolean;
  readonly initialCopies: InitialCopies;
  /** Arguments that are passed by value and need no copy: `passes/by-value-arguments.ts`. */
  readonly readAtEntry: ReadonlySet<Argument>;
  /** With labels: where the source assigns a variable that was promoted to a value. */
  readonly assigned: ReadonlyMap<Value, Instruction>;
  /** Set for a program with plug-ins. */
  readonly hooks: WeaveContext | undefined;
}

interface Local {
  readonly bytes: number;
  readonly site: number;
  /** Whether it has lifetime markers. */
  readonly marked: boolean;
  /** The memory, and the cell that holds the pointer with the current number. */
  memory: Value | undefined;
  cell: AllocaInstruction | undefined;
}

export class FunctionInstrumenter {
  readonly #rewriter: FunctionRewriter;
  #calls!: CallChecks;
  #ranges!: RangeOperations;
  readonly #location: SourceLocation;
  readonly #locals = new Map<AllocaInstruction, Local>();
  /** Replacements of values: dynamic allocas, and arguments that are passed by value. */
  readonly #replaced = new Map<Value, Value>();
  #frame!: Frame;
  readonly #hasDynamicAllocas: boolean;
  readonly #startsVariadic: boolean;
  readonly #callsSetjmp: boolean;
  #entryStack: Value | undefined;
  #prologueDone = false;
  /**
   * Locals that begin at the entry, after the slot is allocated, because the slot's depth tells
   * when they end.
   */
  readonly #unmarkedAtEntry: Local[] = [];
  #undefined: UndefinedValues | undefined;
  #labels: LabelFlow | undefined;
  #checks!: AccessChecks;
  /** Set for programs with threads. */
  #races: RaceChecks | undefined;
  #hooks: HookWeaver | undefined;
  #redundant: ReadonlySet<Instruction> = new Set();
  #strict: ReadonlySet<Instruction> = new Set();
  #fast: FastLoops = noFastLoops();
  /** Found before loops have copies, which hide what bounds them. */
  #sinks: SinkPoints | undefined;

  constructor(
    private readonly context: Context,
    private readonly target: IrFunction,
    private readonly described: ReadonlyMap<Value, DescribedLocal>,
  ) {
    this.#location = functionLocation(target) ?? {
      file: context.module.file,
      line: 0,
      column: 0,
      function: target.name,
    };
    this.#rewriter = new FunctionRewriter(target);
    this.#hasDynamicAllocas = [...instructionsOf(target)].some(isDynamicAlloca);
    this.#callsSetjmp = [...instructionsOf(target)].some(returnsTwice);
    this.#startsVariadic = [...instructionsOf(target)].some(isVariadicStart);
  }

  run(): void {
    this.#strict = strictLoads(this.target);
    this.#reuseLoads();
    const { labels } = this.context.options;
    this.#sinks = labels && new SinkPoints(this.target, labels);
    this.#fast = this.#addFastLoops();
    this.#materializePhiOperands();
    const locals = this.#chooseLocals();
    const { runtime, options } = this.context;
    const asks = asksFirst(options) && !this.#callsSetjmp;
    this.#frame = new Frame(this.#chooseFrame(locals.size > 0, asks), this.#rewriter, runtime);
    this.#ranges = new RangeOperations(asks, this.#rewriter, runtime, this.context.checks, this.#frame);
    this.#calls = new CallChecks(this.context, this.#rewriter, at => this.#site(at), this.#ranges);
    for (const [local, marked] of locals) this.#addLocal(local, marked);
    this.#undefined = this.#followUndefined();
    // Checks that are redundant in the original loop are redundant in its copies too, where this is
    // harder to find.
    const { redundant, afterRead } = this.#findRedundant();
    this.#redundant = new Set([...this.#redundant, ...redundant]);
    this.#hooks = this.#findHooks();
    this.#checks = new AccessChecks(
      this.context,
      this.#rewriter,
      this.#undefined,
      at => this.#site(at),
      { called: this.#blocksWithCalledChecks(), dominators: immediateDominators(this.target) },
      afterRead,
      access => this.#hooks?.before(access),
    );
    if (this.context.options.threads)
      this.#races = new RaceChecks(this.context, this.target, this.#rewriter, at => this.#site(at));
    this.#labels = this.#followLabels();
    this.#rewriter.run(
      instruction => this.#visit(instruction),
      () => {
        this.#resolveScanned();
        this.#undefined?.finish();
        this.#labels?.finish();
      },
    );
    this.#labels?.separate();
  }

  get #builder(): Builder {
    return this.#rewriter.builder;
  }

  // ----------------------------------------------------------------------------------- preparation

  #blocksWithCalledChecks(): ReadonlySet<Block> {
    const { trusted, seldom } = this.#fast;
    if (isShadowAlone(this.context.options)) return seldom;
    const isChecked = (instruction: Instruction): boolean => {
      const access = accessOf(instruction);
      if (access === undefined || trusted.has(instruction) || this.#redundant.has(instruction)) return false;
      return !this.#isSafe(access);
    };
    return new Set([...seldom, ...blocksOverBudget(this.target, isChecked)]);
  }

  #blocksWithCalledLabels(): ReadonlySet<Block> {
    const { seldom, own, clean } = this.#fast;
    const followed = blocksOverBudget(
      this.target,
      instruction => accessOf(instruction) !== undefined && !own.has(instruction),
      clean,
    );
    return new Set([...seldom, ...followed]);
  }

  /** A phi cannot load the cell of a local, so its operand is computed in the source block. */
  #materializePhiOperands(): void {
    for (const block of this.target.blocks) {
      for (const phi of block.instructions) {
        if (phi.op !== 'phi') continue;
        phi.values.forEach((value, i) => {
          if (value.kind === 'instruction' && value.op === 'alloca')
            phi.values[i] = copyBefore(phi, i, value);
        });
      }
    }
  }

  /** The locals that become blocks, and whether they have lifetime markers. */
  #chooseLocals(): Map<AllocaInstruction, boolean> {
    const { layout, isAskedAbout } = this.context;
    const marked = new Set<Value>();
    for (const instruction of instructionsOf(this.target))
      if (instruction.op === 'call' && isLifetimeMarker(instruction)) marked.add(instruction.args.at(-1)!);
    const locals = new Map<AllocaInstruction, boolean>();
    for (const instruction of instructionsOf(this.target)) {
      if (instruction.op !== 'alloca' || instruction.count !== undefined) continue;
      if (layout.allocBytes(instruction.allocatedType) === 0 || !isAskedAbout(instruction)) continue;
      locals.set(instruction, marked.has(instruction));
    }
    return locals;
  }

  #chooseFrame(hasLocals: boolean, asks: boolean): FrameRegion | undefined {
    const { threads, optimise, watchesDepth, labels, hooks, isLibrary = false } = this.context.options;
    const instructions = [...instructionsOf(this.target)];
    // A function with locals has a slot too, to distinguish a use after scope from a use after
    // return.
    if (
      (threads === true && instructions.some(isAtomic)) ||
      hasLocals ||
      this.#hasDynamicAllocas ||
      this.#startsVariadic ||
      this.target.arguments.some(argument => this.#isCopied(argument))
    )
      return wholeFrame(this.target);
    // A count of frames must include all of them.
    const countsFrames = watchesDepth === true || labels !== undefined || hooks !== undefined;
    if (!optimise || threads || countsFrames || this.#callsSetjmp)
      return instructions.some(isRealCall) ? wholeFrame(this.target) : undefined;
    return frameRegion(this.target, each => needsSlot(each, asks, isLibrary));
  }

  #followUndefined(): UndefinedValues | undefined {
    const { init, annotationsOnly } = this.context.options;
    if (!init || annotationsOnly) return undefined;
    return new UndefinedValues(this.target, load => this.#strict.has(load) || this.#fast.trusted.has(load));
  }

  /**
   * The label of a value is made of those of its operands, so blocks are visited in an order in
   * which operands come first.
   */
  #followLabels(): LabelFlow | undefined {
    const { options, runtime, layout, assigned } = this.context;
    const points = this.#sinks;
    if (options.labels === undefined || points === undefined) return undefined;
    this.target.blocks = reversePostorder(this.target);
    const site = (at: Instruction): Constant => this.#site(at);
    const { labels } = options;
    return new LabelFlow(
      {
        ...{ runtime, layout, labels, points, assigned, called: this.#blocksWithCalledLabels(), site },
        rewriter: this.#rewriter,
        fast: this.#fast,
      },
      this.target,
    );
  }

  /** Functions that the weaver generated have no hooks. */
  #findHooks(): HookWeaver | undefined {
    const { hooks } = this.context;
    if (hooks === undefined || (!hooks.isLibrary && this.target.name.startsWith('__rz_'))) return undefined;
    return new HookWeaver(
      ...([hooks, this.target, this.#rewriter] as const),
      value => this.#resolve(value),
      at => (at === undefined ? this.#entrySite() : this.#site(at)),
      this.#fast,
    );
  }

  /**
   * A value that may be undefined is reported with the place where it was loaded, and its bits are
   * those of the memory that it is loaded from. So only a load whose value is stored, and not used
   * otherwise, is replaced by such a value.
   */
  #reuseLoads(): void {
    const { layout, options } = this.context;
    const { optimise, keepGoing, threads, hooks, labels, annotationsOnly } = options;
    if (!optimise || keepGoing || threads || hooks || labels || annotationsOnly) return;
    const undefinedValues = this.#followUndefined();
    const reported = undefinedValues?.reported(this.target);
    reuseLoads(this.target, {
      layout,
      mayBe: (load, known) =>
        !undefinedValues?.isCarrier(known) ||
        (undefinedValues.isCarrier(load) && !reported?.has(load) && !this.#isSafe(accessOf(load)!)),
    });
  }

  #addFastLoops(): FastLoops {
    const { options, layout, runtime, checks, mayUnsettle, hooks } = this.context;
    // Branches and addresses that only one copy of a loop has are not the program's.
    if (hooks !== undefined && hooks.plan.branch.length + hooks.plan.arithmetic.length > 0) return this.#fast;
    // Another thread may invalidate what was checked before a loop.
    if (!options.optimise || options.keepGoing || isShadowAlone(options) || options.threads)
      return this.#fast;
    this.#undefined = this.#followUndefined();
    this.#redundant = this.#findRedundant().redundant;
    return addFastLoops(this.target, {
      ...{ layout, runtime, checks, mayUnsettle },
      redundant: this.#redundant,
      accessWord: access => accessWord(access, options),
      isSafe: instruction => this.#isSafe(accessOf(instruction)!),
      marks: marksOf(this.context),
    });
  }

  #findRedundant(): RedundantChecks {
    const { layout, mayUnsettle, options } = this.context;
    // With `--keep-going`, a check that failed guarantees nothing.
    if (!options.optimise || options.keepGoing || options.threads) return noRedundantChecks;
    return redundantChecks(this.target, {
      layout,
      mayUnsettle,
      mayBeUndefined: value => this.#undefined?.isCarrier(value) === true,
    });
  }

  #addLocal(local: AllocaInstruction, marked: boolean): void {
    this.#locals.set(local, {
      bytes: this.context.layout.allocBytes(local.allocatedType),
      site: this.#localSite(local, !marked && isCompoundLiteral(local)),
      marked,
      memory: undefined,
      cell: undefined,
    });
  }

  // ------------------------------------------------------------------------------------- the visit

  #visit(instruction: Instruction): void {
    if (!this.#prologueDone && (instruction.op !== 'alloca' || isDynamicAlloca(instruction)))
      this.#prologue();
    if (this.#prologueDone) this.#frame.reach(instruction);
    // The hooks of an access follow its check.
    if (accessOf(instruction) === undefined) this.#hooks?.before(instruction);
    switch (instruction.op) {
      case 'alloca':
        if (instruction.count === undefined) this.#alloca(instruction);
        else this.#dynamicAlloca(instruction);
        break;
      case 'ret':
        this.#return(instruction);
        break;
      case 'call':
        this.#call(instruction);
        break;
      default:
        // `#other` handles every instruction that needs no part of its own.
        this.#other(instruction);
    }
    this.#hooks?.after(instruction);
  }

  #other(instruction: Instruction): void {
    const access = accessOf(instruction);
    const isShared = access !== undefined && this.#races?.isShared(access) === true;
    const isSafe =
      access !== undefined &&
      (this.#fast.trusted.has(instruction) ||
        this.#isSafe(access) ||
        this.#redundant.has(instruction) ||
        this.#isUnasked(access));
    this.#resolveOperands(instruction);
    this.#checks.requireDefined(instruction);
    this.#checks.requireDefinedToEnter(instruction, this.#fast);
    this.#labels?.before(instruction);
    if (this.context.options.keepGoing) this.#avoidDivisionTrap(instruction);
    if (this.#races !== undefined && isAtomic(instruction)) this.#atomic(instruction, this.#races);
    this.#races?.goesRound(instruction);
    if (instruction.op === 'br') this.#frame.leave(instruction.target);
    const resolved = isSafe ? undefined : accessOf(instruction);
    if (resolved === undefined) {
      if (access !== undefined) this.#hooks?.before(instruction);
      this.#rewriter.emit(instruction);
    } else if (resolved.isStore) this.#checks.store(instruction, resolved);
    else this.#checks.load(instruction, resolved);
    this.#undefined?.propagate(instruction, this.#builder);
    if (instruction.op === 'cmpxchg') this.#races?.exchanged(instruction);
    else if (isShared && !isAtomic(instruction)) this.#races?.accessed(accessOf(instruction)!, instruction);
    this.#labels?.after(instruction);
  }

  /** The scheduler may choose another thread here, so the stack must show where this one waits. */
  #atomic(instruction: Instruction, races: RaceChecks): void {
    this.#frame.say(this.#site(instruction));
    races.atomic(instruction, accessOf(instruction));
  }

  /** The division by zero has been reported; with `--keep-going` the divisor is replaced by 1. */
  #avoidDivisionTrap(instruction: Instruction): void {
    const { op } = instruction;
    if (op !== 'sdiv' && op !== 'srem' && op !== 'udiv' && op !== 'urem') return;
    const { left, right } = instruction;
    const type = right.type;
    if (type.kind !== 'integer' || isConstant(right)) return;
    const builder = this.#builder;
    let traps: Value = builder.icmp('eq', right, integerConstant(type, 0));
    if (op === 'sdiv' || op === 'srem') {
      const bits = BigInt(type.bits);
      const overflows = builder.binary(
        'and',
        builder.icmp('eq', left, integerConstant(type, 1n << (bits - 1n))),
        builder.icmp('eq', right, integerConstant(type, (1n << bits) - 1n)),
      );
      traps = builder.binary('or', traps, overflows);
    }
    instruction.right = builder.select(traps, integerConstant(type, 1), right);
  }

  #prologue(): void {
    this.#prologueDone = true;
    const builder = this.#builder;
    if (this.#frame.isHere) {
      this.#frame.take();
      if (this.context.options.watchesDepth) this.#checkDepth(this.#frame.slot);
    }
    if (this.#hasDynamicAllocas) this.#entryStack = this.#stackPointer();
    this.#undefined?.enter(this.target, this.context.runtime, builder);
    this.#labels?.enter();
    for (const local of this.#unmarkedAtEntry) this.#beginLocal(local);
    this.#copyByValueArguments();
    if (this.#startsVariadic) this.#receiveVariadic();
    this.#hooks?.entry();
  }

  #checkDepth(slot: Value): void {
    const { runtime } = this.context;
    const limit = this.#builder.load(i32, runtime.depthLimit, { align: 4 });
    const isLow = this.#builder.icmp('ult', slot, limit);
    this.#rewriter.guard(isLow, cold => cold.call(runtime.function('__rz_over_depth'), [this.#entrySite()]));
  }

  /**
   * The caller passes the address of its object; the function works on a copy, which is a local.
   */
  #copyByValueArguments(): void {
    const { layout } = this.context;
    const builder = this.#builder;
    for (const argument of this.target.arguments) {
      const type = argument.attributes.get('byval')?.type;
      if (type === undefined || !this.#isCopied(argument)) continue;
      const bytes = layout.allocBytes(type);
      const memory = this.#reserve(bytes, layout.align(type));
      const tagged = this.#begin(memory, bytes, this.#localSite(argument, true));
      builder.call(this.context.runtime.function('__rz_receive'), [
        ...[tagged, argument, integerConstant(i64, bytes)],
      ]);
      this.#replaced.set(argument, tagged);
      this.#byValueCopies.push({ memory, bytes });
    }
  }

  #isCopied(argument: Argument): boolean {
    return isByValue(argument) && !this.context.readAtEntry.has(argument);
  }

  readonly #byValueCopies: { memory: Value; bytes: number }[] = [];

  // ---------------------------------------------------------------------------------------- locals

  #alloca(instruction: AllocaInstruction): void {
    const local = this.#locals.get(instruction);
    if (local === undefined) {
      this.#rewriter.emit(instruction);
      return;
    }
    const builder = this.#builder;
    local.memory = this.#reserve(local.bytes, instruction.align, instruction.name);
    local.cell = builder.alloca(ptr, 8);
    builder.store(local.memory, local.cell);
    if (!local.marked) {
      if (this.#prologueDone) this.#beginLocal(local);
      else this.#unmarkedAtEntry.push(local);
    }
  }

  /** Reserves stack for a block. Without referent numbers there is a redzone on each side. */
  #reserve(bytes: number, align: number, name?: string): Value {
    const builder = this.#builder;
    if (!isShadowAlone(this.context.options))
      return builder.alloca(arrayType(i8, roundUp(bytes)), Math.max(align, 8), name);
    const zone = Math.max(align, localRedzone);
    const reserved = builder.alloca(arrayType(i8, zone + roundUp(bytes) + localRedzone), zone, name);
    return builder.gep(i8, reserved, [integerConstant(i64, zone)]);
  }

  #beginLocal({ memory, bytes, site, cell }: Local): void {
    this.#builder.store(this.#begin(memory!, bytes, site), cell!);
  }

  #begin(memory: Value, bytes: number, site: number): Value {
    const { runtime } = this.context;
    return this.#builder.call(runtime.function('__rz_local_begin'), [
      memory,
      integerConstant(i64, bytes),
      runtime.site(site),
    ]);
  }

  #end(memory: Value, bytes: number): void {
    this.#builder.call(this.context.runtime.function('__rz_local_end'), [
      memory,
      integerConstant(i64, bytes),
    ]);
  }

  #dynamicAlloca(instruction: AllocaInstruction): void {
    const { layout, runtime } = this.context;
    const builder = this.#builder;
    this.#resolveOperands(instruction);
    this.#labels?.before(instruction);
    const each = layout.allocBytes(instruction.allocatedType);
    const given = instruction.count!;
    const count = given.type === i64 ? given : builder.cast('zext', given, i64);
    const bytes = builder.binary('mul', count, integerConstant(i64, each));
    const site = runtime.site(this.#localSite(instruction));
    // The size is hidden from the optimiser, which would otherwise make it a local of fixed size,
    // whose memory is not released with the stack.
    const padded = builder.call(runtime.function('__rz_dynamic_bytes'), [bytes, site]);
    let memory: Value = builder.alloca(i8, Math.max(instruction.align, 16), instruction.name, padded);
    if (isShadowAlone(this.context.options))
      memory = builder.gep(i8, memory, [integerConstant(i64, localRedzone)]);
    this.#replaced.set(
      instruction,
      builder.call(runtime.function('__rz_local_begin'), [memory, bytes, site]),
    );
  }

  #return(instruction: ReturnInstruction): void {
    this.#resolveOperands(instruction);
    this.#checks.requireDefined(instruction);
    for (const local of this.#locals.values()) {
      if (!local.marked && local.memory !== undefined) this.#end(local.memory, local.bytes);
    }
    for (const { memory, bytes } of this.#byValueCopies) this.#end(memory, bytes);
    this.#endVariadic();
    if (this.#entryStack !== undefined) this.#cutStack(this.#entryStack);
    if (this.#frame.isHere) this.#frame.giveBack();
    this.#undefined?.giveBack(instruction, this.context.runtime, this.#builder);
    this.#labels?.before(instruction);
    this.#rewriter.emit(instruction);
  }

  #cutStack(upTo: Value): void {
    this.#builder.call(this.context.runtime.function('__rz_stack_cut'), [this.#stackPointer(), upTo]);
  }

  #stackPointer(): Value {
    return this.#builder.call(this.#intrinsic('llvm.stacksave.p0', functionType(ptr, [])), []);
  }

  // ----------------------------------------------------------------------------------------- calls

  #call(call: CallInstruction): void {
    if (this.#replaceMarker(call)) return;
    this.#resolveOperands(call);
    if (this.#replaceRequest(call)) return;
    const name = calledName(call);
    if (/^llvm\.(ubsan|debug)?trap$/.test(name)) this.#calls.report('__rz_trap', call);
    if (isRealCall(call)) this.#checks.requireDefined(call);
    const operation = this.#ranges.asks ? rangeOperationOf(call) : undefined;
    if (operation !== undefined && !isBulkIntrinsic(name)) this.#operateOnRange(call, operation);
    else this.#emitCall(call, operation !== undefined);
  }

  /**
   * Calls that say something about the function instead of doing something; their operands stay as
   * they are. Returns whether the call is one of them.
   */
  #replaceMarker(call: CallInstruction): boolean {
    const name = calledName(call);
    if (isLifetimeMarker(call)) {
      this.#lifetime(call, name.startsWith('llvm.lifetime.start'));
      return true;
    }
    if (/^llvm\.(dbg\.|assume$|experimental\.noalias)/.test(name)) return true;
    if (!name.startsWith('llvm.threadlocal.address')) return false;
    const variable = this.#resolve(call.args[0]!);
    this.#replaced.set(call, this.#races?.threadLocal(call, variable) ?? variable);
    return true;
  }

  /**
   * Calls by which passes and the C library request a check, and calls without a meaning here.
   * Returns whether the call is one of them.
   */
  #replaceRequest(call: CallInstruction): boolean {
    const name = calledName(call);
    if (name === apartName) this.#calls.checkApart(call);
    else if (name === definedName) this.#checks.requireDefined(call);
    else if (name === listName) this.#takeList(call);
    else if (name === readName) this.#operateOnRange(call, '__rz_range_read');
    else if (name === writeName) this.#operateOnRange(call, '__rz_range_write');
    else if (name === unboxedName) {
      call.callee = this.context.runtime.function('__rz_unboxed');
      this.#rewriter.emit(call);
    } else if (name === lostGotoName) this.#calls.report('__rz_lost_goto', call);
    else if (call.callee.kind === 'assembly' && call.callee.text !== '') {
      this.#calls.report('__rz_unsupported_assembly', call);
      if (call.type !== voidType) this.#replaced.set(call, zeroConstant(call.type));
    } else if (isQuestion(call)) {
      if (this.#ranges.asks) this.#rewriter.emit(call);
      else this.#replaced.set(call, integerConstant(i32, 0));
    } else return false;
    return true;
  }

  /** The call itself, between its checks and what follows from its results. */
  #emitCall(call: CallInstruction, isRange: boolean): void {
    const name = calledName(call);
    this.#setAttributes(call);
    const saysSite = isRealCall(call) && !isRange && !this.#isSilent(call);
    const ownSlot = saysSite ? this.#frame.say(this.#site(call)) : undefined;
    this.#checkArguments(call);
    this.#labels?.before(call);
    this.#undefined?.pass(call, this.context.runtime, this.#builder);
    this.#rewriter.emit(call);
    if (ownSlot !== undefined) this.#frame.giveBack(ownSlot);
    this.#undefined?.receive(call, this.context.runtime, this.#builder);
    this.#undefined?.propagate(call, this.#builder);
    this.#labels?.after(call);
    if (name.startsWith('llvm.va_start')) {
      const [list] = call.args;
      this.#builder.store(this.#beginVariadic(call, list!), list!, { align: 8 });
    }
    if (returnsTwice(call)) this.#afterSetjmp();
  }

  #setAttributes(call: CallInstruction): void {
    call.attributes = honestAttributes(call.attributes);
    // LLVM replaces `memcmp` with a constant size by its own code, which would drop the check.
    if (isRealCall(call) && !isBulkIntrinsic(calledName(call)))
      call.attributes = call.attributes.with(attribute('nobuiltin'));
    call.returnAttributes = AttributeSet.empty;
    // A frame that longjmp leaves must be separate and below this one.
    if (this.#callsSetjmp) call.attributes = call.attributes.with(attribute('noinline'));
  }

  #checkArguments(call: CallInstruction): void {
    const name = calledName(call);
    if (isRealCall(call)) {
      const bytes = call.args[2];
      this.#calls.before(call, name);
      // With `--keep-going` the length of a range may be another value now.
      if (bytes !== undefined && call.args[2] !== bytes) this.#labels?.replace(bytes, call.args[2]!);
    } else if (name.startsWith('llvm.va_start')) this.#checks.alone(wholePointer(call.args[0]!, true), call);
    else if (name.startsWith('llvm.va_copy')) {
      this.#checks.alone(wholePointer(call.args[1]!, false), call);
      this.#checks.alone(wholePointer(call.args[0]!, true), call);
    } else if (name.startsWith('llvm.stackrestore')) this.#cutStack(call.args[0]!);
  }

  /** Whether nothing is reported during the call, so that nothing reads its site. */
  #isSilent(call: CallInstruction): boolean {
    return this.#ranges.asks && this.context.options.isLibrary === true && isRawLoop(call);
  }

  /** A call of the C library, or the check of a whole structure. */
  #operateOnRange(call: CallInstruction, operation: RangeOperation): void {
    const result = this.#ranges.emit(operation, call.args, this.#site(call));
    if (result !== undefined) this.#replaced.set(call, result);
  }

  /** A phi may be visited before the scan, or the list of arguments, that it refers to. */
  #resolveScanned(): void {
    if (!this.#ranges.asks && this.#variadic === undefined) return;
    for (const block of this.target.blocks) {
      for (const phi of block.instructions) {
        if (phi.op !== 'phi') continue;
        phi.values = phi.values.map(value =>
          value.kind === 'instruction' ? (this.#replaced.get(value) ?? value) : value,
        );
      }
    }
  }

  // ---------------------------------------------------------------------------- variadic arguments
  //
  // They are in a buffer of the caller, which also passes its size. The callee makes it a block
  // like a local: the pointer in its va_list has a referent number, so that reading past the last
  // argument is detected in any function.

  #variadic:
    | { readonly bytes: Value; readonly cell: AllocaInstruction; readonly list: AllocaInstruction }
    | undefined;

  #receiveVariadic(): void {
    const builder = this.#builder;
    const bytes = builder.load(i32, this.context.runtime.variadicBytes, { align: 4 });
    const cell = builder.alloca(ptr, 8);
    builder.store(nullConstant, cell, { align: 8 });
    this.#variadic = { bytes, cell, list: builder.alloca(ptr, 8) };
  }

  /** A list that is a value (`passes/variadic-lists.ts`). */
  #takeList(call: CallInstruction): void {
    const { list } = this.#variadic!;
    const start = this.#intrinsic('llvm.va_start.p0', functionType(voidType, [ptr]));
    this.#builder.call(start, [list]);
    this.#replaced.set(call, this.#beginVariadic(call, list));
  }

  /** The arguments become an object with the first list of them. */
  #beginVariadic(call: CallInstruction, list: Value): Value {
    const { bytes, cell } = this.#variadic!;
    const builder = this.#builder;
    const numbered = builder.call(this.context.runtime.function('__rz_variadic_begin'), [
      builder.load(ptr, cell, { align: 8 }),
      builder.load(ptr, list, { align: 8 }),
      ...[bytes, this.#site(call)],
    ]);
    builder.store(numbered, cell, { align: 8 });
    return numbered;
  }

  #endVariadic(): void {
    if (this.#variadic === undefined) return;
    const { bytes, cell } = this.#variadic;
    const begun = this.#builder.load(ptr, cell, { align: 8 });
    this.#builder.call(this.context.runtime.function('__rz_variadic_end'), [begun, bytes]);
  }

  /** The second return of setjmp: the frames above it are gone, and so are their locals. */
  #afterSetjmp(): void {
    const builder = this.#builder;
    builder.store(
      builder.binary('add', this.#frame.slot, integerConstant(i32, 4)),
      this.context.runtime.depth,
      {
        align: 4,
      },
    );
    builder.call(this.context.runtime.function('__rz_stack_abandon'), [this.#stackPointer()]);
  }

  #lifetime(call: CallInstruction, begins: boolean): void {
    const marked = call.args.at(-1)!;
    const local =
      marked.kind === 'instruction' && marked.op === 'alloca' ? this.#locals.get(marked) : undefined;
    if (local?.memory === undefined) return;
    if (begins) this.#beginLocal(local);
    else this.#end(local.memory, local.bytes);
  }

  // ---------------------------------------------------------------------------------------- checks

  /**
   * With annotations alone, only stores into memory matter whose initialisation an annotation may
   * query.
   */
  #isUnasked(access: MemoryAccess): boolean {
    const { options, isAskedAbout, layout } = this.context;
    if (!options.annotationsOnly) return false;
    if (!access.isStore || !options.init) return true;
    const origin = pointerOrigin(access.pointer, layout);
    return origin !== undefined && !isAskedAbout(origin.object);
  }

  /** An access at a fixed offset in a global, or in a local that is not monitored. */
  #isSafe({ pointer, type, isStore }: MemoryAccess): boolean {
    const { layout, globals, isAskedAbout, options } = this.context;
    const origin = pointerOrigin(pointer, layout);
    if (origin === undefined) return false;
    const { object } = origin;
    const isGlobal = object.kind === 'variable';
    if (isGlobal && options.initGlobals) return false;
    const objectType = isGlobal ? object.valueType : object.allocatedType;
    if (!isInBounds(origin, layout.storeBytes(type), layout.allocBytes(objectType))) return false;
    return isGlobal ? globals.isDefined(object) && !(isStore && object.isConstant) : !isAskedAbout(object);
  }

  // -------------------------------------------------------------------------------------- operands

  #resolveOperands(instruction: Instruction): void {
    mapOperands(instruction, operand => this.#resolve(operand));
  }

  #resolve(operand: Value): Value {
    if (operand.kind === 'instruction' && operand.op === 'alloca') {
      const cell = this.#locals.get(operand)?.cell;
      if (cell !== undefined) return this.#builder.load(ptr, cell, { align: 8 });
    }
    const replacement = this.#replaced.get(operand);
    if (replacement !== undefined) return replacement;
    return isConstant(operand) ? this.context.globals.tagged(operand) : operand;
  }

  // ----------------------------------------------------------------------------------------- sites

  #site(instruction: Instruction): Constant {
    return this.context.runtime.site(this.#siteIndex(instruction));
  }

  #entrySite(): Constant {
    return this.context.runtime.site(this.context.sites.index(this.#location, this.#frame.isHere));
  }

  #siteIndex(instruction: Instruction): number {
    const [place = this.#location, ...callers] = stackOf(instruction);
    return this.context.sites.index(place, this.#frame.isHere, undefined, callers);
  }

  /** The site at which a local begins; some live as long as their function. */
  #localSite(local: AllocaInstruction | Argument, ofWholeFunction = false): number {
    const described = this.described.get(local);
    return this.context.sites.index(described?.location ?? this.#location, this.#frame.isHere, {
      variable: localName(described),
      ...((ofWholeFunction || described?.variable?.isOfWholeFunction) && { ofWholeFunction: true }),
    });
  }

  #intrinsic(name: string, type: FunctionType): IrFunction {
    return getOrDeclareFunction(this.context.module, name, type);
  }
}

/** The immediate dominator of each block but the entry. */
function immediateDominators(target: IrFunction): ReadonlyMap<Block, Block> {
  const { cfg, immediate } = new DominatorTree(target);
  return new Map(cfg.blocks.slice(1).map((block, i) => [block, cfg.blocks[immediate[i + 1]!]!]));
}

function* instructionsOf(target: IrFunction): Generator<Instruction> {
  for (const block of target.blocks) yield* block.instructions;
}

/** Copies the incoming value of a phi at the end of the source block. */
function copyBefore(phi: PhiInstruction, index: number, value: Value): Value {
  const source = phi.blocks[index]!.instructions;
  const made: Instruction[] = [];
  const copy = new Builder(made).gep(i8, value, [integerConstant(i64, 0)]);
  source.splice(source.length - 1, 0, ...made);
  return copy;
}

function roundUp(bytes: number): number {
  return alignUp(bytes, 8);
}

function alignUp(bytes: number, align: number): number {
  return (bytes + align - 1) & -align;
}
