/**
 * Undefined values: tracks the uninitialized bits of a value from the load to the uses that matter.
 *
 * A load learns in the slow path of its check which bytes are undefined; on the fast path there are
 * none. This is recorded in a *shadow*: an integer as wide as the value with a bit set for each
 * undefined bit, nearly always zero.
 *
 * ```
 *   %v = load i32, ptr %p          %v.shadow = phi i32 [ 0, %fast ], [ bits, %slow ]
 *   %m = and i32 %v, 7             %m.shadow = and i32 %v.shadow, 7
 *   store i32 %m, ptr %q           undefined bytes stay undefined in memory: copying them is not an error
 *   br i1 %c, ...                  a use that matters: %c.shadow != 0 is reported
 * ```
 *
 * The uses that matter are branches, addresses, arguments, returned values and output. Arguments
 * and results are checked when they are passed, so their shadows never leave a function. A struct
 * that is passed as its only member is a copy, and its shadow is passed in a cell of the runtime.
 * Bitwise operations are precise to the bit, because bit-fields are read, changed and written as
 * whole words; the shadow of an arithmetic result is the union of its operands' shadows.
 *
 * Most loads need no shadow: if the value certainly reaches a use that matters in the same block,
 * the slow path itself reports the undefined bytes (a *strict* load).
 *
 * Values wider than 64 bits, vectors and aggregates are strict too.
 */

import type { Builder } from '../../ir/builder.js';
import { calledName } from '../../ir/called-functions.js';
import { isOfCheck, isOfCopy } from '../../ir/check-marks.js';
import { integerConstant, nullConstant } from '../../ir/constants.js';
import type { DataLayout } from '../../ir/data-layout.js';
import { inlinedAt } from '../../ir/debug.js';
import type {
  Block,
  CallInstruction,
  Instruction,
  IrFunction,
  LoadInstruction,
  PhiInstruction,
  ReturnInstruction,
  StoreInstruction,
  Value,
} from '../../ir/model.js';
import { opcodes } from '../../ir/opcodes.js';
import { forEachOperand, strictOperands } from '../../ir/operands.js';
import { type IntegerType, i32, i64, integerType, ptr, type Type } from '../../ir/types.js';
import { definedName } from '../../passes/inlined-functions.js';
import { isHandedOver, returnedBy, returnedThrough } from '../../passes/returned-values.js';
import { isStructArgument, isStructResult, isWholeStruct, structsPassed } from '../../passes/whole-struct.js';
import type { Runtime } from './runtime.js';

/** `MOST_UNDEFINED_ARGUMENTS` of `runtime/monitor/objects.c`. */
const mostArguments = 16;

/** A value that comes from more loads has no origin. */
const mostSources = 4;

/** The same for loads whose values meet in phis, and for the values between. */
const mostCandidates = 8;
const mostReached = 64;

/** Where a value was loaded from. */
interface Origin {
  readonly pointer: Value;
  /** An i32. */
  readonly bytes: Value;
}

const nowhere: Origin = { pointer: nullConstant, bytes: integerConstant(i32, 0) };

/** The loads, arguments and results from which an undefined value comes; all dominate it. */
interface Sources {
  readonly values: ReadonlySet<Value>;
  /** Whether these are all sources. */
  readonly isComplete: boolean;
}

const unknownSources: Sources = { values: new Set(), isComplete: false };

export class UndefinedValues {
  readonly #shadows = new Map<Value, Value>();
  readonly #phis: { readonly phi: PhiInstruction; readonly shadow: PhiInstruction }[] = [];
  readonly #sources = new Map<Value, Sources>();
  /** Where the undefined bits of an argument or of a result were loaded from. */
  readonly #received = new Map<Value, Value>();
  /** Values that may be undefined: loads that are not strict, and values computed from them. */
  readonly #carriers = new Set<Value>();
  /** Collected before the rewriting changes the addresses of their loads. */
  readonly #wholeStructs = new Set<Value>();
  /** By call, the arguments that are structs. */
  readonly #structsPassed = new Map<Instruction, readonly number[]>();
  readonly #structResults = new Set<Value>();
  /** The values of `return` statements, collected before blocks are split. */
  readonly #returned = new Map<Instruction, Value>();
  /** Where a returned value is checked. */
  readonly #handedOver = new Set<Instruction>();

  /** `defined` says whether a load gives a defined value, or its check reports at once. */
  constructor(target: IrFunction, defined: (load: LoadInstruction) => boolean) {
    const uses = usesOf(target);
    for (const argument of target.arguments)
      if (isStructArgument(argument) && this.#mayTravel(argument)) this.#carry(argument, uses);
    for (const block of target.blocks) {
      for (const instruction of block.instructions) {
        const returned = returnedBy(instruction, block) ?? returnedThrough(instruction);
        if (returned !== undefined) this.#returned.set(instruction, returned);
        if (instruction.op === 'ret' && instruction.value && isHandedOver(instruction.value))
          this.#handedOver.add(instruction);
        if (instruction.op === 'call') this.#noteCall(instruction, uses);
        if (instruction.op !== 'load' || shadowType(instruction.type) === undefined) continue;
        if (!defined(instruction)) this.#carry(instruction, uses);
        if (isWholeStruct(instruction)) this.#wholeStructs.add(instruction);
      }
    }
  }

  #mayTravel({ type }: Value): boolean {
    return shadowType(type) !== undefined;
  }

  #noteCall(call: CallInstruction, uses: ReadonlyMap<Value, readonly Instruction[]>): void {
    const passed = structsPassed(call).filter(i => i < mostArguments && this.#mayTravel(call.args[i]!));
    if (passed.length > 0) this.#structsPassed.set(call, passed);
    if (!this.#mayTravel(call) || !uses.get(call)?.some(use => isStructResult(use, call))) return;
    this.#structResults.add(call);
    this.#carry(call, uses);
  }

  /** At the entry of a function: the shadows of struct arguments. */
  enter({ arguments: list }: IrFunction, runtime: Runtime, builder: Builder): void {
    const { undefinedArguments, undefinedArgumentOrigins } = runtime;
    for (const [i, argument] of list.entries()) {
      if (!this.#carriers.has(argument) || i >= mostArguments) continue;
      this.#shadows.set(argument, taken(builder, cell(builder, undefinedArguments, i), argument.type));
      const origin = builder.load(ptr, cell(builder, undefinedArgumentOrigins, i), { align: 8 });
      this.#received.set(argument, origin);
    }
  }

  /** Before a call: the shadows of struct arguments. */
  pass(call: CallInstruction, runtime: Runtime, builder: Builder): void {
    const { undefinedArguments, undefinedArgumentOrigins } = runtime;
    for (const i of this.#structsPassed.get(call) ?? []) {
      const value = call.args[i]!;
      builder.store(this.#wide(value, builder), cell(builder, undefinedArguments, i), { align: 8 });
      builder.store(this.#onlyOrigin(value), cell(builder, undefinedArgumentOrigins, i), { align: 8 });
    }
  }

  /** After a call: the shadow of a returned struct. */
  receive(call: CallInstruction, runtime: Runtime, builder: Builder): void {
    if (!this.#structResults.has(call)) return;
    this.#shadows.set(call, taken(builder, runtime.undefinedResult, call.type));
    this.#received.set(call, builder.load(ptr, runtime.undefinedResultOrigin, { align: 8 }));
  }

  /** Before a return: the shadow of a returned struct. */
  giveBack({ value }: ReturnInstruction, runtime: Runtime, builder: Builder): void {
    if (value === undefined || !this.#wholeStructs.has(value)) return;
    builder.store(this.#wide(value, builder), runtime.undefinedResult, { align: 8 });
    builder.store(this.#onlyOrigin(value), runtime.undefinedResultOrigin, { align: 8 });
  }

  #wide(value: Value, builder: Builder): Value {
    const shadow = this.#shadows.get(value) ?? integerConstant(i64, 0);
    return shadow.type === i64 ? shadow : builder.cast('zext', shadow, i64);
  }

  /** Whether the loaded value may be undefined afterwards, so that its shadow is needed. */
  isCarrier(value: Value): boolean {
    return this.#carriers.has(value);
  }

  /** The values that may be undefined and reach a use that matters here or in another function. */
  reported({ blocks }: IrFunction): ReadonlySet<Value> {
    const reported = new Set<Value>();
    const add = (value: Value): void => {
      if (this.#carriers.has(value)) reported.add(value);
    };
    for (const { instructions } of blocks)
      for (const instruction of instructions) {
        if (instruction.op === 'call' || instruction.op === 'ret') forEachOperand(instruction, add);
        for (const operand of this.operandsThatMatter(instruction)) add(operand);
      }
    for (const value of reported) if (value.kind === 'instruction') forEachOperand(value, add);
    return reported;
  }

  /** The undefined bits of a value; undefined if there cannot be any. */
  shadowOf(value: Value): Value | undefined {
    return this.#shadows.get(value);
  }

  /** The same for a stored value. A returned value has been checked and counts as defined. */
  shadowOfStored(store: StoreInstruction): Value | undefined {
    return this.#returned.has(store) ? undefined : this.shadowOf(store.value);
  }

  /** Sets the shadow of a loaded value to the bits that the slow path returned. */
  setLoaded(load: Instruction, shadow: Value): void {
    this.#shadows.set(load, shadow);
  }

  /** The operands of an instruction that must be defined. */
  operandsThatMatter(instruction: Instruction): Value[] {
    if (this.#handedOver.has(instruction)) return [];
    const operands = operandsThatMatter(instruction, this.#returned.get(instruction));
    return operands.filter(operand => !this.#wholeStructs.has(operand));
  }

  /** The load from which an undefined value comes; undefined if it may be one of several. */
  originOf(value: Value): LoadInstruction | undefined {
    const source = this.#onlySource(value);
    return source?.kind === 'instruction' && source.op === 'load' ? source : undefined;
  }

  /**
   * Where an undefined value was loaded from, and how many bytes; null where it is not known. Of
   * several loads, the first that is undefined counts, so this belongs in code that runs only if
   * one is.
   */
  origin(value: Value, builder: Builder, layout: DataLayout): Origin {
    const { values, isComplete } = this.#sourcesOf(value);
    let origin: Origin | undefined;
    for (const source of [...values].reverse()) {
      const pointer = this.#pointerOf(source);
      const shadow = this.#shadows.get(source);
      if (pointer === undefined || shadow === undefined) continue;
      const bytes: Value = integerConstant(i32, layout.storeBytes(source.type));
      if (origin === undefined && isComplete) origin = { pointer, bytes };
      else {
        const other = origin ?? nowhere;
        const isUndefined = builder.icmp('ne', shadow, integerConstant(shadow.type as IntegerType, 0));
        origin = {
          pointer: builder.select(isUndefined, pointer, other.pointer),
          bytes: builder.select(isUndefined, bytes, other.bytes),
        };
      }
    }
    return origin ?? nowhere;
  }

  /**
   * The loads that an undefined value may come from if `origin` does not know them all, because
   * values of several blocks meet in a phi.
   */
  candidates(value: Value): LoadInstruction[] {
    if (this.#sourcesOf(value).isComplete) return [];
    const loads = this.#reachedFrom(value).filter(isLoad);
    return loads.length > mostCandidates ? [] : loads;
  }

  /** The values that may be undefined from which a value is computed; none if there are many. */
  #reachedFrom(value: Value): Value[] {
    const seen = new Set<Value>([value]);
    for (const reached of seen) {
      if (reached.kind !== 'instruction' || reached.op === 'load') continue;
      forEachOperand(reached, operand => {
        if (this.#carriers.has(operand)) seen.add(operand);
      });
      if (seen.size > mostReached) return [];
    }
    return [...seen];
  }

  #pointerOf(source: Value): Value | undefined {
    if (source.kind === 'instruction' && source.op === 'load') return source.pointer;
    return this.#received.get(source);
  }

  #onlyOrigin(value: Value): Value {
    const source = this.#onlySource(value);
    return (source && this.#pointerOf(source)) ?? nullConstant;
  }

  #onlySource(value: Value): Value | undefined {
    const { values, isComplete } = this.#sourcesOf(value);
    return isComplete && values.size === 1 ? [...values][0] : undefined;
  }

  /** The only values that certainly dominate a phi are arguments. */
  #sourcesOf(value: Value): Sources {
    if (!this.#carriers.has(value)) return unknownSources;
    const known = this.#sources.get(value);
    if (known !== undefined) return known;
    let found: Sources = unknownSources;
    const isBorn = value.kind === 'argument' || this.#structResults.has(value);
    if (isBorn || (value.kind === 'instruction' && value.op === 'load'))
      found = { values: new Set([value]), isComplete: true };
    else if (value.kind === 'instruction' && value.op === 'phi') {
      const received = this.#reachedFrom(value).filter(({ kind }) => kind === 'argument');
      if (received.length <= mostSources) found = { values: new Set(received), isComplete: false };
    } else if (value.kind === 'instruction') {
      const parts: Sources[] = [];
      forEachOperand(value, operand => {
        if (this.#carriers.has(operand)) parts.push(this.#sourcesOf(operand));
      });
      const values = new Set(parts.flatMap(part => [...part.values]));
      if (values.size <= mostSources) found = { values, isComplete: parts.every(part => part.isComplete) };
    }
    this.#sources.set(value, found);
    return found;
  }

  /** Emits the shadow of an instruction, right after it. */
  propagate(instruction: Instruction, builder: Builder): void {
    if (!this.#carriers.has(instruction) || instruction.op === 'load') return;
    if (this.#structResults.has(instruction)) return;
    if (instruction.op === 'call' && isOverflowCheck(instruction)) {
      const [a, b] = instruction.args.map(value => this.#shadows.get(value) ?? zeroFor(value.type));
      this.#shadows.set(instruction, builder.binary('or', a!, b!));
      return;
    }
    const type = shadowType(instruction.type);
    if (type === undefined) return;
    if (instruction.op === 'phi') {
      const shadow = builder.phi(type, []);
      this.#phis.push({ phi: instruction, shadow });
      this.#shadows.set(instruction, shadow);
      return;
    }
    const shadow = this.#compute(instruction, type, builder);
    if (shadow !== undefined) this.#shadows.set(instruction, shadow);
  }

  /**
   * Completes the phis when all shadows are known; their sources are those of the original phis.
   */
  finish(): void {
    for (const { phi, shadow } of this.#phis) {
      const zero = integerConstant(shadow.type as IntegerType, 0);
      shadow.values = phi.values.map(value => this.#shadows.get(value) ?? zero);
      shadow.blocks = [...phi.blocks];
    }
  }

  #carry(source: Value, uses: ReadonlyMap<Value, readonly Instruction[]>): void {
    const pending = [source];
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      if (this.#carriers.has(value)) continue;
      this.#carriers.add(value);
      for (const use of uses.get(value) ?? []) if (passesOn(use)) pending.push(use);
    }
  }

  #compute(instruction: Instruction, type: IntegerType, builder: Builder): Value | undefined {
    const shadow = (value: Value): Value => this.#shadows.get(value) ?? zeroFor(value.type);
    switch (instruction.op) {
      case 'and':
      case 'or': {
        const { left, right } = instruction;
        const [a, b] = [shadow(left), shadow(right)];
        // A bit is undefined unless the other operand decides it: 0 for `and`, 1 for `or`.
        const [x, y] =
          instruction.op === 'and' ? [left, right] : [inverted(builder, left), inverted(builder, right)];
        const both = builder.binary('and', a, b);
        const onlyLeft = builder.binary('and', a, y);
        const onlyRight = builder.binary('and', x, b);
        return builder.binary('or', both, builder.binary('or', onlyLeft, onlyRight));
      }
      case 'xor':
      case 'add':
      case 'sub':
      case 'mul':
      case 'fadd':
      case 'fsub':
      case 'fmul':
      case 'fdiv':
        return builder.binary('or', shadow(instruction.left), shadow(instruction.right));
      case 'shl':
      case 'lshr':
      case 'ashr':
        return builder.binary(instruction.op, shadow(instruction.left), instruction.right);
      case 'trunc':
      case 'zext':
      case 'sext':
        return builder.cast(instruction.op, shadow(instruction.operand), type);
      case 'bitcast':
      case 'ptrtoint':
      case 'inttoptr':
        return resized(builder, shadow(instruction.operand), type);
      case 'extractvalue':
        return shadow(instruction.aggregate);
      case 'select':
        return builder.select(instruction.condition, shadow(instruction.ifTrue), shadow(instruction.ifFalse));
      default:
        // The result is undefined if an operand is, which is exact enough for other operations.
        return this.#anyOperand(instruction, type, builder, shadow);
    }
  }

  /** All bits are undefined if any bit of an operand is. */
  #anyOperand(
    instruction: Instruction,
    type: IntegerType,
    builder: Builder,
    shadow: (value: Value) => Value,
  ): Value | undefined {
    let any: Value | undefined;
    forEachOperand(instruction, operand => {
      if (this.#shadows.get(operand) === undefined) return;
      const bits = shadow(operand);
      const isUndefined = builder.icmp('ne', bits, integerConstant(bits.type as IntegerType, 0));
      any = any === undefined ? isUndefined : builder.binary('or', any, isUndefined);
    });
    return any === undefined ? undefined : type.bits === 1 ? any : builder.cast('sext', any, type);
  }
}

function isLoad(value: Value): value is LoadInstruction {
  return value.kind === 'instruction' && value.op === 'load';
}

/** The loads whose values certainly reach a use that matters. */
export function strictLoads(target: IrFunction): Set<Instruction> {
  const strict = new Set<Instruction>();
  const usedFrom = new Map<Block, ReadonlySet<Value>>();
  for (const block of target.blocks) {
    const reachesUse = valuesUsedFrom(block, usedFrom);
    for (const instruction of block.instructions)
      if (instruction.op === 'load' && reachesUse.has(instruction) && !isOfCopy(instruction))
        strict.add(instruction);
  }
  return strict;
}

/**
 * Operations whose result is undefined if an operand is; every other instruction is a use that
 * matters, or a store.
 */
function passesOn(instruction: Instruction): boolean {
  if (isOverflowCheck(instruction)) return true;
  if (shadowType(instruction.type) === undefined) return false;
  if (instruction.op === 'call') return isIntrinsicCall(instruction);
  if (instruction.op === 'extractvalue')
    return isOverflowCheck(instruction.aggregate) && instruction.path[0] === 0;
  return opcodes[instruction.op].undefined === 'passes';
}

/**
 * The operands of an instruction that must be defined, except whole structs; `returned` is the
 * value that a jump passes on for a `return` statement. The branches of clang's own checks do not
 * count.
 */
function operandsThatMatter(instruction: Instruction, returned: Value | undefined): Value[] {
  if (isOfCheck(instruction)) return [];
  if (instruction.op === 'call') {
    if (isIntrinsicCall(instruction)) return calledName(instruction) === definedName ? instruction.args : [];
    return [
      instruction.callee,
      ...(reportsValue(instruction) ? instruction.args : valuesPassed(instruction)),
    ];
  }
  const isHandingOver = returned !== undefined && (instruction.op === 'store' || instruction.op === 'br');
  return isHandingOver ? [...strictOperands(instruction), returned] : strictOperands(instruction);
}

/**
 * The arguments that the program computed; clang marks them as `noundef`, but not the members of a
 * struct.
 */
function valuesPassed({ args, argAttributes }: CallInstruction): Value[] {
  return args.filter((_, i) => argAttributes[i]?.get('noundef') !== undefined);
}

/**
 * Whether clang's check reports an invalid value of its type. If the value is uninitialized, that
 * is the error.
 */
function reportsValue(call: CallInstruction): boolean {
  return calledName(call).startsWith('__ubsan_handle_load_invalid_value');
}

/** An intrinsic that is an operation. */
function isIntrinsicCall(instruction: Instruction): boolean {
  return calledName(instruction).startsWith('llvm.');
}

/** `{ result, hasOverflowed } = a + b`, which clang emits for checked signed arithmetic. */
function isOverflowCheck(value: Value): boolean {
  return calledName(value).includes('.with.overflow.');
}

function isExactOverflowCheck(value: Value): boolean {
  return isOverflowCheck(value) && !calledName(value).includes('mul.');
}

/**
 * The values that reach a use that matters in the block, or in one that certainly follows it.
 * `known` has those of other blocks.
 */
function valuesUsedFrom(block: Block, known: Map<Block, ReadonlySet<Value>>): ReadonlySet<Value> {
  const chain: Block[] = [];
  for (let at: Block | undefined = block; at !== undefined && !known.has(at); at = followerOf(at)) {
    // In a cycle without an exit, no block is known to follow the last one.
    known.set(at, new Set());
    chain.push(at);
  }
  for (const at of chain.reverse()) {
    const follower = followerOf(at);
    known.set(at, valuesUsedIn(at, follower === undefined ? [] : known.get(follower)!));
  }
  return known.get(block)!;
}

/**
 * The block that follows unless one of clang's own checks fails, which ends the run or continues
 * there.
 */
function followerOf({ instructions }: Block): Block | undefined {
  const last = instructions.at(-1);
  if (last?.op !== 'condbr' || !isOfCheck(last)) return undefined;
  if (isHandler(last.ifFalse)) return isHandler(last.ifTrue) ? undefined : last.ifTrue;
  return isHandler(last.ifTrue) ? last.ifFalse : undefined;
}

function isHandler({ instructions }: Block): boolean {
  return instructions.some(each => calledName(each).startsWith('__ubsan_handle_'));
}

function valuesUsedIn(block: Block, usedBehind: Iterable<Value>): ReadonlySet<Value> {
  const used = new Set<Value>(usedBehind);
  for (let i = block.instructions.length - 1; i >= 0; i--) {
    const instruction = block.instructions[i]!;
    const returned = returnedBy(instruction, block) ?? returnedThrough(instruction);
    // A value of a function that was inlined is a member of what it returned, and is reported where
    // the caller uses it.
    const call = inlinedAt(instruction);
    const isOfSameCall = (operand: Value): boolean =>
      operand.kind !== 'instruction' || inlinedAt(operand) === call;
    for (const operand of operandsThatMatter(instruction, returned))
      if (!isWholeStruct(operand) && isOfSameCall(operand)) used.add(operand);
    if (used.has(instruction) && instruction.op !== 'phi' && isExact(instruction))
      forEachOperand(instruction, operand => {
        if (isOfSameCall(operand)) used.add(operand);
      });
  }
  return used;
}

/**
 * Operations whose result is certainly undefined if an operand is: neither masking nor selection.
 */
function isExact(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'and':
    case 'or':
    case 'shl':
    case 'lshr':
    case 'ashr':
    case 'trunc':
    case 'select':
    case 'mul':
    case 'phi':
    case 'load':
      return false;
    case 'call':
      return isExactOverflowCheck(instruction);
    case 'extractvalue':
      return isExactOverflowCheck(instruction.aggregate) && instruction.path[0] === 0;
    default:
      // The operations above may mask undefined bits or select among operands; no others do.
      return true;
  }
}

function usesOf(target: IrFunction): Map<Value, Instruction[]> {
  const uses = new Map<Value, Instruction[]>();
  for (const block of target.blocks) {
    for (const instruction of block.instructions) {
      forEachOperand(instruction, operand => {
        if (operand.kind !== 'instruction' && operand.kind !== 'argument') return;
        const known = uses.get(operand);
        if (known === undefined) uses.set(operand, [instruction]);
        else known.push(instruction);
      });
    }
  }
  return uses;
}

/** The integer type of a shadow; undefined for types without one. */
export function shadowType(type: Type): IntegerType | undefined {
  switch (type.kind) {
    case 'integer':
      return type.bits <= 64 && (type.bits === 1 || type.bits % 8 === 0) ? type : undefined;
    case 'pointer':
      return integerType(64);
    case 'float':
      return type.bits === 32 || type.bits === 64 ? integerType(type.bits) : undefined;
    default:
      // Vectors and aggregates are tracked in memory only.
      return undefined;
  }
}

function cell(builder: Builder, cells: Value, index: number): Value {
  return index === 0 ? cells : builder.gep(i64, cells, [integerConstant(i64, index)]);
}

/** Reads a cell and clears it. */
function taken(builder: Builder, from: Value, type: Type): Value {
  const wide = builder.load(i64, from, { align: 8 });
  builder.store(integerConstant(i64, 0), from, { align: 8 });
  const narrow = shadowType(type)!;
  return narrow === i64 ? wide : builder.cast('trunc', wide, narrow);
}

function zeroFor(type: Type): Value {
  return integerConstant(shadowType(type) ?? integerType(64), 0);
}

function inverted(builder: Builder, value: Value): Value {
  const type = value.type as IntegerType;
  return builder.binary('xor', value, integerConstant(type, (1n << BigInt(type.bits)) - 1n));
}

function resized(builder: Builder, shadow: Value, type: IntegerType): Value {
  const from = (shadow.type as IntegerType).bits;
  if (from === type.bits) return shadow;
  return builder.cast(from > type.bits ? 'trunc' : 'zext', shadow, type);
}
