/**
 * Labels track which inputs a value was computed from, in a shadow value. Only programs that use
 * them have labels (`--taint`, `--secret`, `redzone_label`); `runtime/monitor/labels.h` draws their
 * layout in memory.
 *
 * ```
 *   %v = load i32, ptr %p      %w = load i32, word of the granule of %p      zero nearly always
 *                              %v.label = phi i32 [ 0, %w is 0 ], [ __rz_label_load(%p, 4), otherwise ]
 *   %s = add i32 %v, %u        nothing yet: the label of %s is that of %v and %u together
 *   store i32 %s, ptr %q       if %v.label | %u.label | word of %q:  __rz_label_store(%q, 4, union, place)
 * ```
 *
 * A label is an i32 and 0 for nearly all values, so labels are not united at each operation: the
 * label of a value is a list of *leaves* (of loads, phis, arguments, results), which are united in
 * the cold block where the label is needed. Labels are propagated through memory, calls, variadic
 * arguments and results. Control dependences are not tracked (`if (x) y = 1` gives y no label). A
 * value that is loaded through a labelled pointer has the pointer's label, too: `table[x]` depends
 * on x.
 *
 * Clean copies of loops (`fast-loops.ts`) have no labels: they are entered without labelled values,
 * and touch no labelled memory.
 *
 * The C library is compiled from C and labelled like the program, but for its raw range loops
 * (`__rz_raw_*`): those that copy or fill are one operation on labels, and the results of the
 * others (a length, a position) depend on the bytes only through conditions.
 *
 * **Invariant:** without labels none of this is emitted, and code is the same to the byte.
 */

import type { Builder } from '../../ir/builder.js';
import { calledName, returnsTwice } from '../../ir/called-functions.js';
import { integerConstant } from '../../ir/constants.js';
import type { DataLayout } from '../../ir/data-layout.js';
import { reversePostorder } from '../../ir/dominance.js';
import { metadataString, tupleNode } from '../../ir/metadata.js';
import {
  type Block,
  type CallInstruction,
  type Constant,
  Flag,
  type Instruction,
  type IrFunction,
  type MetadataAttachment,
  type PhiInstruction,
  type Value,
} from '../../ir/model.js';
import { forEachOperand, isTerminator, successorsOf } from '../../ir/operands.js';
import { i8, i32, i64, ptr, voidType } from '../../ir/types.js';
import { type LabelOptions, passesNoLabels, type SinkKind, sinkKinds } from '../../labels/flow-rules.js';
import { flowEffectsOf, type MemoryRange, SinkPoints } from '../../labels/sink-points.js';
import { labelWordsStart } from '../memory-map.js';
import { isBulkIntrinsic, isOwnCall, isRawWriter, isVariadicStart } from './call-kinds.js';
import { pointerTo } from './checks.js';
import { type FastLoops, noFastLoops } from './fast-loops.js';
import { accessOf, type MemoryAccess } from './memory-access.js';
import { FunctionRewriter } from './rewriter.js';
import type { Runtime } from './runtime.js';

/** What `va_start` writes: a pointer. */
const listBytes = integerConstant(i64, 8);

/** `MOST_ARGUMENTS` and `MOST_VARIADIC_WORDS` of `runtime/monitor/labels.c`. */
const mostArguments = 64;
const mostVariadicWords = 1024;

/** A value with more leaves is united where it is computed. */
const mostLeaves = 6;

export interface LabelContext {
  readonly runtime: Runtime;
  readonly layout: DataLayout;
  readonly rewriter: FunctionRewriter;
  readonly labels: LabelOptions;
  /** The sinks of the function, as it was without copies of loops. */
  readonly points: SinkPoints;
  /** Where the source assigns a variable that was promoted to a value. */
  readonly assigned: ReadonlyMap<Value, Instruction>;
  /** The blocks of a large function in which each operation is a call. */
  readonly called: ReadonlySet<Block>;
  readonly fast: FastLoops;
  site(at: Instruction): Constant;
}

/** The leaves are i32 values; `build` unites them. A single leaf is its own `value`. */
interface Label {
  readonly leaves: readonly Value[];
  readonly value?: Value;
  build(builder: Builder): Value;
}

const none = integerConstant(i32, 0);

/**
 * The words and slots of labels have their own alias scope, so that the optimiser may keep loaded
 * values of the program, and the tag words of checks, across a change of labels.
 */
const scope = tupleNode([metadataString('labels'), tupleNode([metadataString('memory of the monitor')])]);
const scopes = tupleNode([scope]);
const inScope: MetadataAttachment[] = [{ name: 'alias.scope', node: scopes }];
const outOfScope: MetadataAttachment[] = [{ name: 'noalias', node: scopes }];
const untilZero = integerConstant(i64, (1n << 64n) - 1n);
const words = pointerTo(labelWordsStart);

export class LabelFlow {
  readonly #labels = new Map<Value, Label>();
  readonly #phis: { readonly phi: PhiInstruction; readonly label: PhiInstruction }[] = [];
  /** The incoming labels of a phi, by source block. */
  readonly #incoming = new Map<PhiInstruction, Map<Block, Value>>();
  /**
   * The phis of each block's successors, collected first because blocks are emptied while they are
   * rewritten.
   */
  readonly #phisOf = new Map<Block, readonly PhiInstruction[]>();
  readonly #successors = new Map<Block, ReadonlySet<Block>>();
  readonly #variadicStart: IrFunction | undefined;
  /**
   * The label of the current access's address; with `--keep-going` the address is computed anew.
   */
  #addressLabel: Label | undefined;
  /** The sinks that were checked in the current block: only the first of several is reported. */
  #askedHere: { kind: SinkKind; leaves: ReadonlySet<Value> }[] = [];

  constructor(
    private readonly context: LabelContext,
    private readonly target: IrFunction,
  ) {
    for (const block of target.blocks) {
      const phis = block.instructions.filter(instruction => instruction.op === 'phi');
      for (const phi of phis) this.#incoming.set(phi, new Map());
      this.#phisOf.set(block, phis);
      this.#successors.set(block, new Set(successorsOf(block)));
    }
    const start = target.blocks.flatMap(({ instructions }) => instructions).find(isVariadicStart);
    if (start?.op === 'call' && start.callee.kind === 'function') this.#variadicStart = start.callee;
  }

  get #builder(): Builder {
    return this.context.rewriter.builder;
  }

  /** At the entry: reads the labels of the arguments. */
  enter(): void {
    const { runtime } = this.context;
    this.target.arguments.slice(0, mostArguments).forEach((argument, i) => {
      const label = this.#builder.load(i32, this.#cell(runtime.labelArguments, i), { align: 4 });
      this.#labels.set(argument, leaf(label));
    });
    if (this.#variadicStart !== undefined) this.#receiveVariadic(this.#variadicStart);
  }

  /**
   * Saves the labels of variadic arguments, which later calls overwrite; the arguments themselves
   * are in a buffer.
   */
  #receiveVariadic(start: IrFunction): void {
    const builder = this.#builder;
    const { runtime } = this.context;
    const list = builder.alloca(ptr, 8);
    builder.call(start, [list]);
    const bytes = builder.load(i32, runtime.variadicBytes, { align: 4 });
    const buffer = builder.load(ptr, list, { align: 8 });
    builder.call(runtime.function('__rz_label_receive'), [buffer, bytes]);
  }

  // ------------------------------------------------------------------------------------- the visit

  /** A value replaces another, and has its label. */
  replace(old: Value, by: Value): void {
    const label = this.#labels.get(old);
    if (label !== undefined) this.#labels.set(by, label);
  }

  /** Called before the instruction is emitted, with its final operands. */
  before(instruction: Instruction): void {
    if (this.#isClean) {
      if (isTerminator(instruction)) this.#leaveBlock();
      return;
    }
    this.#requireUnlabelled(instruction);
    this.#sinks(instruction);
    if (instruction.op === 'ret' && instruction.value !== undefined)
      this.#builder.store(this.#valueOf(instruction.value), this.context.runtime.labelResult, { align: 4 });
    if (instruction.op === 'call') this.#beforeCall(instruction);
    if (isTerminator(instruction)) this.#leaveBlock();
  }

  get #isOutOfLine(): boolean {
    return this.context.called.has(this.context.rewriter.sourceBlock);
  }

  get #isClean(): boolean {
    return this.context.fast.clean.has(this.context.rewriter.sourceBlock);
  }

  /** The branch into a clean copy is taken only if no value in it has a label. */
  #requireUnlabelled(instruction: Instruction): void {
    if (instruction.op !== 'condbr') return;
    const values = this.context.fast.cleanEntries.get(instruction) ?? [];
    const leaves = new Set(values.flatMap(value => this.#labels.get(value)?.leaves ?? []));
    const union = this.#unionOf([...leaves]);
    if (union === undefined) return;
    const isNone = this.#builder.icmp('eq', union, none);
    instruction.condition = this.#builder.binary('and', instruction.condition, isNone);
  }

  /** Called after the instruction is emitted. */
  after(instruction: Instruction): void {
    if (this.#isClean || this.context.fast.own.has(instruction)) return;
    switch (instruction.op) {
      case 'phi': {
        const label = this.#builder.phi(i32, []);
        this.#phis.push({ phi: instruction, label });
        this.#labels.set(instruction, leaf(label));
        break;
      }
      case 'load':
        this.#set(instruction, this.#loaded(accessOf(instruction)!));
        break;
      case 'store':
        this.#store(instruction, accessOf(instruction)!, this.#labels.get(instruction.value));
        break;
      case 'atomicrmw':
      case 'cmpxchg': {
        const access = accessOf(instruction)!;
        const old = this.#loaded(access);
        const given = instruction.op === 'cmpxchg' ? instruction.replacement : instruction.value;
        this.#store(instruction, access, this.#union(old, this.#labels.get(given)));
        this.#set(instruction, old);
        break;
      }
      case 'call':
        this.#afterCall(instruction);
        break;
      case 'select': {
        const { ifTrue, ifFalse } = instruction;
        this.#set(instruction, this.#union(this.#labels.get(ifTrue), this.#labels.get(ifFalse)));
        break;
      }
      default:
        // A result has the labels of its operands unless it comes from memory, a call or a choice.
        if (instruction.type !== voidType) this.#set(instruction, this.#ofOperands(instruction));
    }
  }

  /** Completes the phis before their source blocks are renamed. */
  finish(): void {
    for (const { phi, label } of this.#phis) {
      const incoming = this.#incoming.get(phi);
      label.values = phi.blocks.map(block => incoming?.get(block) ?? none);
      label.blocks = [...phi.blocks];
    }
  }

  /**
   * After the function has been rewritten: marks the instructions that do not touch the memory of
   * labels.
   */
  separate(): void {
    const { own } = this.context.fast;
    for (const { instructions } of this.target.blocks)
      for (const instruction of instructions)
        if ((instruction.op === 'load' || instruction.op === 'store') && !own.has(instruction))
          instruction.metadata ??= outOfScope;
  }

  /** Passes labels to the phis of the successors. */
  #leaveBlock(): void {
    const source = this.context.rewriter.sourceBlock;
    this.#askedHere = [];
    for (const next of this.#successors.get(source) ?? []) {
      if (this.context.fast.clean.has(next)) continue;
      for (const phi of this.#phisOf.get(next) ?? []) {
        const at = phi.blocks.indexOf(source);
        const label = (value: Value): Value => (this.#isClean ? none : this.#valueOf(value));
        if (at >= 0) this.#incoming.get(phi)?.set(source, label(phi.values[at]!));
      }
    }
  }

  // ---------------------------------------------------------------------------------------- labels

  #set(value: Instruction, label: Label | undefined): void {
    if (label === undefined) return;
    const store = this.context.assigned.get(value);
    const stepped = store === undefined ? label : this.#step(label, this.context.site(store));
    this.#labels.set(value, stepped.leaves.length > mostLeaves ? leaf(this.#united(stepped)) : stepped);
  }

  #step(label: Label, site: Constant): Label {
    const step = this.context.runtime.function('__rz_label_step');
    return { leaves: label.leaves, build: builder => builder.call(step, [label.build(builder), site]) };
  }

  #ofOperands(instruction: Instruction): Label | undefined {
    let label: Label | undefined;
    forEachOperand(instruction, operand => {
      label = this.#union(label, this.#labels.get(operand));
    });
    return label;
  }

  #union(a: Label | undefined, b: Label | undefined): Label | undefined {
    if (a === undefined || b === undefined || a === b) return a ?? b;
    const union = this.context.runtime.function('__rz_label_union');
    return {
      leaves: [...new Set([...a.leaves, ...b.leaves])],
      build: builder => builder.call(union, [a.build(builder), b.build(builder)]),
    };
  }

  #valueOf(value: Value): Value {
    const label = this.#labels.get(value);
    return label === undefined ? none : this.#united(label);
  }

  /** The label as a value at this point. */
  #united(label: Label): Value {
    if (label.value !== undefined) return label.value;
    return this.#unlessNone(label.leaves, builder => label.build(builder));
  }

  /** The result of `make` if one of the values is not 0; otherwise 0. */
  #unlessNone(values: readonly Value[], make: (builder: Builder) => Value): Value {
    const { rewriter } = this.context;
    const union = this.#unionOf(values);
    if (union === undefined || this.#isOutOfLine) return make(this.#builder);
    let made = none as Value;
    const guarded = rewriter.guard(this.#builder.icmp('eq', union, none), cold => {
      made = make(cold);
    });
    return made.type === voidType ? none : rewriter.guardPhi(guarded, none, made);
  }

  #unionOf(values: readonly Value[]): Value | undefined {
    let union: Value | undefined;
    for (const each of values) union = union === undefined ? each : this.#builder.binary('or', union, each);
    return union;
  }

  // ---------------------------------------------------------------------------------------- memory

  /** The label words of the granules that an access touches. */
  #wordsOf(access: MemoryAccess): Value[] {
    return labelWordsOf(access, this.context.layout, this.#builder);
  }

  #loaded(access: MemoryAccess): Label | undefined {
    const { runtime, layout } = this.context;
    const bytes = integerConstant(i64, layout.storeBytes(access.type));
    const inMemory = this.#unlessNone(this.#isOutOfLine ? [] : this.#wordsOf(access), builder =>
      touching(builder.call(runtime.function('__rz_label_load'), [access.pointer, bytes])),
    );
    return this.#union(leaf(inMemory), this.#addressLabel);
  }

  #store(at: Instruction, access: MemoryAccess, label: Label | undefined): void {
    const { runtime, layout } = this.context;
    const bytes = integerConstant(i64, layout.storeBytes(access.type));
    const touched = this.#isOutOfLine ? [] : this.#wordsOf(access);
    this.#unlessNone([...touched, ...(label?.leaves ?? [])], builder =>
      touching(
        builder.call(runtime.function('__rz_label_store'), [
          ...[access.pointer, bytes, label?.build(builder) ?? none],
          this.context.labels.isLibrary ? none : this.context.site(at),
        ]),
      ),
    );
  }

  // ----------------------------------------------------------------------------------------- calls

  #beforeCall(call: CallInstruction): void {
    const name = calledName(call);
    const { runtime, labels } = this.context;
    if (isBulkIntrinsic(name) || isRawWriter(name)) {
      const [to, second, count] = call.args as [Value, Value, Value];
      const bytes = this.#wide(count);
      const site = labels.isLibrary ? none : this.context.site(call);
      if (second.type === ptr)
        touching(this.#builder.call(runtime.function('__rz_label_copy'), [to, second, bytes, site]));
      else {
        const label = this.#valueOf(second);
        touching(this.#builder.call(runtime.function('__rz_label_store'), [to, bytes, label, site]));
      }
      return;
    }
    if (!passesLabels(call)) return;
    const fixed = call.functionType.parameters.length;
    call.args.slice(0, Math.min(fixed, mostArguments)).forEach((argument, i) => {
      const label = this.#valueOf(argument);
      this.#builder.store(label, this.#cell(runtime.labelArguments, i), { align: 4 });
    });
    if (call.functionType.variadic) this.#passVariadic(call.args.slice(fixed));
    // The second result of `setjmp` is the value that `longjmp` was given.
    if (name === 'longjmp')
      this.#builder.store(this.#valueOf(call.args[1]!), runtime.labelResult, { align: 4 });
    // The callee may be a function of the monitor, which sets no label.
    else if (call.callee.kind !== 'function' || name.startsWith('__rz_') || returnsTwice(call))
      this.#builder.store(none, runtime.labelResult, { align: 4 });
  }

  #passVariadic(passed: readonly Value[]): void {
    const { layout, runtime } = this.context;
    const { places } = layout.variadicPlaces(passed.map(argument => argument.type));
    passed.forEach((argument, i) => {
      const label = this.#valueOf(argument);
      for (let at = 0; at < layout.storeBytes(argument.type); at += 4) {
        const word = (places[i]! + at) / 4;
        if (word >= mostVariadicWords) return;
        this.#builder.store(label, this.#cell(runtime.labelVariadic, word), { align: 4 });
      }
    });
  }

  #cell(array: Value, index: number): Value {
    if (index === 0) return array;
    return this.#builder.gep(i32, array, [integerConstant(i64, index)], undefined, Flag.nuw | Flag.nusw);
  }

  #afterCall(call: CallInstruction): void {
    const { runtime } = this.context;
    // The pointer that it writes has no label.
    if (isVariadicStart(call))
      touching(
        this.#builder.call(runtime.function('__rz_label_store'), [call.args[0]!, listBytes, none, none]),
      );
    if (call.type !== voidType) {
      const isOperation = calledName(call).startsWith('llvm.') || calledName(call).startsWith('__rz_raw_');
      if (passesLabels(call))
        this.#set(call, leaf(this.#builder.load(i32, runtime.labelResult, { align: 4 })));
      else if (isOperation) this.#set(call, this.#ofOperands(call));
    }
    for (const { role, rule, range } of flowEffectsOf(call, this.context.labels.rules)) {
      const number = integerConstant(i32, rule);
      if (role === 'source' && range !== undefined) this.#onMemory(range, '__rz_label_mark', [number]);
      else if (role === 'source')
        this.#set(call, leaf(this.#builder.call(runtime.function('__rz_label_new'), [number])));
      else if (range !== undefined) this.#onMemory(range, '__rz_label_sanitize', []);
      else this.#labels.delete(call);
    }
  }

  /** Calls a runtime function for a range of memory. */
  #onMemory(
    { pointer, bytes }: MemoryRange,
    name: '__rz_label_mark' | '__rz_label_sanitize' | '__rz_label_sink_bytes',
    more: readonly Value[],
  ): void {
    const count = bytes === 'text' ? untilZero : this.#wide(bytes);
    this.#builder.call(this.context.runtime.function(name), [pointer, count, ...more]);
  }

  #wide(count: Value): Value {
    return count.type === i64 ? count : this.#builder.cast('sext', count, i64);
  }

  // ----------------------------------------------------------------------------------------- sinks

  #sinks(instruction: Instruction): void {
    const access = accessOf(instruction);
    if (access !== undefined) this.#addressLabel = this.#labels.get(access.pointer);
    for (const { kind, value, bytes } of this.context.points.at(instruction)) {
      if (bytes === undefined) this.#sink(kind, value, instruction);
      else
        this.#onMemory({ pointer: value, bytes }, '__rz_label_sink_bytes', [
          ...[kindNumber(kind), this.context.site(instruction)],
        ]);
    }
  }

  #isNewHere(kind: SinkKind, { leaves }: Label): boolean {
    const isAsked = this.#askedHere.some(
      asked => asked.kind === kind && leaves.every(each => asked.leaves.has(each)),
    );
    if (!isAsked) this.#askedHere.push({ kind, leaves: new Set(leaves) });
    return !isAsked;
  }

  #sink(kind: SinkKind, value: Value, at: Instruction): void {
    const label = this.#labels.get(value);
    if (label === undefined || !this.#isNewHere(kind, label)) return;
    this.#unlessNone(label.leaves, builder =>
      builder.call(this.context.runtime.function('__rz_label_sink'), [
        ...[label.build(builder), kindNumber(kind), this.context.site(at)],
      ]),
    );
  }
}

/** Loads the label words of the granules that an access touches. */
export function labelWordsOf(
  { pointer, type, align }: MemoryAccess,
  layout: DataLayout,
  builder: Builder,
): Value[] {
  const bytes = layout.storeBytes(type);
  const low = builder.cast('trunc', builder.cast('ptrtoint', pointer, i64), i32);
  const wordAt = (offset: number): Value => {
    const address = offset === 0 ? low : builder.binary('add', low, integerConstant(i32, offset));
    const shifted = builder.binary('lshr', address, integerConstant(i32, 1));
    const masked = builder.binary('and', shifted, integerConstant(i32, 0x1fff_fffc));
    const at = builder.gep(i8, words, [builder.cast('zext', masked, i64)], undefined, Flag.nuw | Flag.nusw);
    return touching(builder.load(i32, at, { align: 4 }));
  };
  const offsets = [0];
  for (let at = 8; at < bytes; at += 8) offsets.push(at);
  if (align < Math.min(bytes, 8) && bytes > 1) offsets.push(bytes - 1);
  return offsets.map(wordAt);
}

/** The assignments of the source to variables, collected before the variables are promoted. */
export function assignmentsIn(target: IrFunction): Map<Value, Instruction> {
  const assigned = new Map<Value, Instruction>();
  for (const { instructions } of target.blocks)
    for (const store of instructions)
      if (store.op === 'store' && store.value.kind === 'instruction' && store.debugLocation !== undefined)
        if (store.pointer.kind === 'instruction' && store.pointer.op === 'alloca')
          assigned.set(store.value, store);
  return assigned;
}

/**
 * Propagates labels in a function without checks, which the library marks as its own computation.
 */
export function followLabelsAlone(
  target: IrFunction,
  context: Omit<LabelContext, 'rewriter' | 'fast' | 'points'>,
): void {
  target.blocks = reversePostorder(target);
  const rewriter = new FunctionRewriter(target);
  const points = new SinkPoints(target, context.labels);
  const flow = new LabelFlow({ ...context, points, rewriter, fast: noFastLoops() }, target);
  let hasBegun = false;
  rewriter.run(
    instruction => {
      if (!hasBegun && instruction.op !== 'alloca') {
        hasBegun = true;
        flow.enter();
      }
      flow.before(instruction);
      rewriter.emit(instruction);
      flow.after(instruction);
    },
    () => flow.finish(),
  );
  flow.separate();
}

/** Marks an instruction that accesses only the memory of labels. */
function touching<T extends Instruction>(instruction: T): T {
  instruction.metadata = inScope;
  return instruction;
}

function leaf(value: Value): Label {
  return { leaves: [value], value, build: () => value };
}

/** Whether the callee reads the labels of its arguments and sets that of its result. */
function passesLabels(call: CallInstruction): boolean {
  const name = calledName(call);
  if (call.callee.kind === 'assembly' || name.startsWith('llvm.') || name.startsWith('__rz_raw_'))
    return false;
  if (isOwnCall(call)) return false;
  return !passesNoLabels.test(name);
}

function kindNumber(kind: SinkKind): Value {
  return integerConstant(i32, sinkKinds.indexOf(kind));
}
