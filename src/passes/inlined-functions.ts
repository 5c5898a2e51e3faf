/**
 * Inlines small functions before the checks are inserted.
 *
 * - Functions that take or return structures. A structure is passed and returned in memory, so each
 *   call makes blocks of the structures that the caller computes with: they get numbers, their
 *   bytes get states, and all of it ends again. Such functions are mostly a few operations on
 *   members (vectors, complex numbers, points). When they are part of the caller, the structures
 *   are only read and written there member by member, and `split-structs.ts` turns them into values.
 * - Functions that are called in loops, such as `get(matrix, i, j)`. As part of the loop, what they
 *   access again and again is checked once (`fast-loops.ts`).
 * - Functions that get the address of a local, such as `next(&at, &symbol)`. Afterwards only
 *   accesses use the address, so the local can become a value (`mem2reg.ts`).
 *
 * ```
 *   call @add(sret %sum, byval %a, byval %b)          %x = load double, ptr %a      line 3 in add, inlined at the call
 *                                                     ...
 *                                                     store double %s, ptr %sum
 * ```
 *
 * Reports stay as they are. Each copied instruction knows the call (`inlinedAt`), of which sites
 * make a frame. What a call checks is checked by markers that `function.ts` replaces: that the
 * structures may be read as a whole (`readName`), and that arguments and the result are defined
 * (`definedName`).
 *
 * **Requires** that the callee has been prepared: all members of its arguments are read at its
 * entry (`by-value-arguments.ts`), and none of its locals is in memory.
 */
import { Builder, getOrDeclareFunction } from '../ir/builder.js';
import { cloneInstruction } from '../ir/clone.js';
import { integerConstant, isConstant } from '../ir/constants.js';
import type { DataLayout } from '../ir/data-layout.js';
import { specialized } from '../ir/debug.js';
import { type MetadataNode, specializedNode } from '../ir/metadata.js';
import type {
  Argument,
  Block,
  CallInstruction,
  Instruction,
  IrFunction,
  Module,
  ReturnInstruction,
  Value,
} from '../ir/model.js';
import { mapDebugOperands, mapOperands, mapSuccessors, successorsOf, terminatorOf } from '../ir/operands.js';
import { functionType, i64, ptr, type Type, voidType } from '../ir/types.js';
import { DominatorTree } from './dominators.js';
import { findLoops } from './loops.js';
import { isHandedOver, returnedBy } from './returned-values.js';
import { isStructArgument, structsPassed } from './whole-struct.js';

/** `(pointer, bytes)`: the bytes must be accessible, as if they were passed. */
export const readName = 'llvm.redzone.read';
/** `(pointer, bytes)`: the bytes may be written, and are about to be. */
export const writeName = 'llvm.redzone.write';
/** `(value, ...)`: the values must be defined. */
export const definedName = 'llvm.redzone.defined';

/** In instructions: what is copied, and how large a function may become. */
const largestCallee = 100;
/** The same for functions that get the address of a local, of which more is gained. */
const largestSetter = 250;
const largestCaller = 1000;
/**
 * The same for functions that pass no structures. In large functions checks are calls
 * (`monitor/instrument/inline-budget.ts`).
 */
const largestOther = 600;

/** A function whose calls may be inlined. */
export interface InlinedFunction {
  /** All calls of a function that passes structures and has no loops are inlined. */
  readonly passesStructures: boolean;
  /** All others are inlined only for the locals whose addresses they get. */
  readonly isForLoops: boolean;
}

/**
 * Undefined if calls of the function cannot be inlined. `readAtEntry` are arguments that need no
 * copy.
 */
export function asInlined(
  target: IrFunction,
  readAtEntry: ReadonlySet<Argument>,
): InlinedFunction | undefined {
  const { linkage, functionType: type, arguments: list, blocks, name } = target;
  if (blocks.length === 0 || type.variadic || !['external', 'internal', 'private'].includes(linkage))
    return undefined;
  if (name === 'main' || name.startsWith('__rz_') || target.personality !== undefined) return undefined;
  if (target.attributes.has('noinline') || target.attributes.has('returns_twice')) return undefined;
  if (list.some(each => isStructArgument(each) || (each.attributes.has('byval') && !readAtEntry.has(each))))
    return undefined;
  const size = sizeOf(blocks);
  if (size > largestSetter) return undefined;
  if (!blocks.every(({ instructions }) => instructions.every(each => mayBeCopied(each, target))))
    return undefined;
  const isReached = new Set<Block>();
  const hasLoops = entersTwice(blocks[0]!, isReached, new Set());
  const returns = blocks.filter(block => terminatorOf(block)?.op === 'ret');
  if (returns.length !== 1 || isReached.size !== blocks.length) return undefined;
  const passes = list.some(({ attributes }) => attributes.has('byval') || attributes.has('sret'));
  const isForLoops = !hasLoops && size <= largestCallee;
  return { passesStructures: passes && isForLoops, isForLoops };
}

/** Without the calls that end the program, such as the handlers of clang's checks. */
function sizeOf(blocks: readonly Block[]): number {
  let size = 0;
  for (const { instructions } of blocks)
    if (instructions.at(-1)?.op !== 'unreachable')
      size += instructions.filter(({ op }) => op !== 'debug-record').length;
  return size;
}

function mayBeCopied(instruction: Instruction, target: IrFunction): boolean {
  switch (instruction.op) {
    case 'alloca':
    case 'callbr':
    case 'indirectbr':
      return false;
    case 'call':
      return (
        instruction.callee !== target &&
        instruction.tail !== 'musttail' &&
        instruction.bundles === undefined &&
        !instruction.attributes.has('returns_twice')
      );
    default:
      // Other instructions depend on their operands and successors alone.
      return true;
  }
}

/** Whether a path from the block reaches one of `around`, the path that leads here, again. */
function entersTwice(block: Block, reached: Set<Block>, around: Set<Block>): boolean {
  reached.add(block);
  around.add(block);
  let found = false;
  for (const next of successorsOf(block)) {
    if (around.has(next)) found = true;
    else if (!reached.has(next)) found = entersTwice(next, reached, around) || found;
  }
  around.delete(block);
  return found;
}

/** The functions of a module, each after those that it calls, except in recursions. */
export function calleesFirst({ functions }: Module): IrFunction[] {
  const ordered = new Set<IrFunction>();
  const entered = new Set<IrFunction>();
  for (const root of functions) {
    const pending: { target: IrFunction; callees: Iterator<IrFunction> }[] = [];
    const enter = (target: IrFunction): void => {
      if (entered.has(target)) return;
      entered.add(target);
      pending.push({ target, callees: calleesOf(target)[Symbol.iterator]() });
    };
    enter(root);
    for (let at = pending.at(-1); at !== undefined; at = pending.at(-1)) {
      const next = at.callees.next();
      if (!next.done) enter(next.value);
      else {
        ordered.add(at.target);
        pending.pop();
      }
    }
  }
  return [...ordered];
}

function* calleesOf({ blocks }: IrFunction): Generator<IrFunction> {
  for (const { instructions } of blocks)
    for (const each of instructions)
      if (each.op === 'call' && each.callee.kind === 'function') yield each.callee;
}

/** Inlines calls of the given functions; says whether there were any. */
export function inlineCalls(
  module: Module,
  target: IrFunction,
  layout: DataLayout,
  known: ReadonlyMap<IrFunction, InlinedFunction>,
): boolean {
  const chosen = known.size === 0 ? noCalls : chosenCalls(target, known);
  if (chosen.size === 0) return false;
  let size = sizeOf(target.blocks);
  for (let i = 0; i < target.blocks.length; i++) {
    for (let at = 0; at < target.blocks[i]!.instructions.length; at++) {
      const block = target.blocks[i]!;
      const call = block.instructions[at]!;
      if (call.op !== 'call' || call.callee.kind !== 'function') continue;
      const { passesStructures = false } = known.get(call.callee) ?? {};
      if (!chosen.has(call) && !(passesStructures && isAsDeclared(call))) continue;
      const larger = size + sizeOf(call.callee.blocks);
      if (larger > (passesStructures ? largestCaller : largestOther)) continue;
      size = larger;
      new InlinedCall(module, target, layout, call, call.callee).replace(block, at);
    }
  }
  return true;
}

const noCalls: ReadonlySet<CallInstruction> = new Set();

/** The calls of which something is gained. */
function chosenCalls(
  target: IrFunction,
  known: ReadonlyMap<IrFunction, InlinedFunction>,
): ReadonlySet<CallInstruction> {
  const inLoops: CallInstruction[] = [];
  const chosen = new Set<CallInstruction>();
  for (const { instructions } of target.blocks)
    for (const call of instructions) {
      if (call.op !== 'call' || call.callee.kind !== 'function' || !isAsDeclared(call)) continue;
      const callee = known.get(call.callee);
      if (callee === undefined) continue;
      if (callee.passesStructures || call.args.some(isOfScalar)) chosen.add(call);
      else if (callee.isForLoops) inLoops.push(call);
    }
  if (inLoops.length === 0) return chosen;
  const tree = new DominatorTree(target);
  const blocks = new Set(findLoops(tree).flatMap(loop => loop.blocks.map(i => tree.cfg.blocks[i]!)));
  const isInLoop = new Set([...blocks].flatMap(({ instructions }) => instructions));
  for (const call of inLoops) if (isInLoop.has(call)) chosen.add(call);
  return chosen;
}

/** Whether a call of a function passes what the function expects. */
function isAsDeclared(call: CallInstruction): boolean {
  const { callee, functionType: type, bundles, debugLocation, tail } = call;
  if (callee.kind !== 'function' || callee.functionType !== type) return false;
  if (bundles !== undefined || tail === 'musttail' || debugLocation === undefined) return false;
  const isPassedAlike = callee.arguments.every(
    ({ attributes }, i) =>
      attributes.get('byval')?.type === call.argAttributes[i]?.get('byval')?.type &&
      attributes.has('sret') === (call.argAttributes[i]?.has('sret') === true),
  );
  return isPassedAlike && structsPassed(call).length === 0;
}

/** The replacement of one call. */
class InlinedCall {
  readonly #values = new Map<Value, Value>();
  readonly #blocks = new Map<Block, Block>();
  readonly #locations = new Map<MetadataNode, MetadataNode>();

  constructor(
    private readonly module: Module,
    private readonly target: IrFunction,
    private readonly layout: DataLayout,
    private readonly call: CallInstruction,
    private readonly callee: IrFunction,
  ) {
    for (const [i, argument] of callee.arguments.entries()) this.#values.set(argument, call.args[i]!);
  }

  /** The call is instruction `at` of the block. */
  replace(block: Block, at: number): void {
    const checks = this.#checks();
    const copies = this.#copy();
    for (const copy of copies) this.#checkHandedOver(copy);
    const last = terminatorOf(copies.find(copy => terminatorOf(copy)?.op === 'ret')!) as ReturnInstruction;
    const result = last.value;
    const [first, ...others] = copies;
    const after = block.instructions.splice(at);
    after.shift();
    block.instructions.push(...checks, ...first!.instructions);
    if (others.length === 0) {
      block.instructions.pop();
      block.instructions.push(...this.#returned(last), ...after);
    } else this.#divide(block, first!, others, after, last);
    if (result !== undefined) this.#replaceResult(result);
  }

  /** What a call requires of its arguments. */
  #checks(): Instruction[] {
    const { call, layout } = this;
    const builder = new Builder([], call.debugLocation);
    const { args, argAttributes } = call;
    const values = args.filter((_, i) => argAttributes[i]?.has('noundef') && !argAttributes[i]!.has('byval'));
    this.#require(builder, values);
    args.forEach((pointer, i) => {
      const type = argAttributes[i]?.get('byval')?.type;
      if (type === undefined) return;
      const bytes = layout.allocBytes(type);
      if (isInLocal(pointer, bytes, layout)) return;
      const check = getOrDeclareFunction(this.module, readName, functionType(voidType, [ptr, i64]));
      builder.call(check, [pointer, integerConstant(i64, bytes)]);
    });
    return builder.into;
  }

  #require(builder: Builder, values: readonly Value[]): void {
    for (const value of values) {
      if (isConstant(value) || isAddress(value)) continue;
      const check = getOrDeclareFunction(this.module, definedName, functionType(voidType, [], true));
      builder.call(check, [value]);
    }
  }

  /** In place of `ret`: a result must be defined. */
  #returned({ value, debugLocation }: ReturnInstruction): Instruction[] {
    if (value === undefined || isHandedOver(value)) return [];
    const builder = new Builder([], debugLocation ?? this.call.debugLocation);
    this.#require(builder, [value]);
    return builder.into;
  }

  /** Each of several `return` statements checks its value. */
  #checkHandedOver(copy: Block): void {
    const jump = copy.instructions.at(-1)!;
    const value = returnedBy(jump, copy);
    if (value === undefined) return;
    copy.instructions.pop();
    this.#require(new Builder(copy.instructions, jump.debugLocation), [value]);
    copy.instructions.push(jump);
  }

  #copy(): Block[] {
    const { blocks } = this.callee;
    for (const block of blocks) {
      const instructions = block.instructions.map(cloneInstruction);
      for (const [i, instruction] of block.instructions.entries())
        this.#values.set(instruction, instructions[i]!);
      this.#blocks.set(block, { ...block, instructions });
    }
    const mapped = (value: Value): Value => this.#values.get(value) ?? value;
    const copies = [...this.#blocks.values()];
    for (const { instructions } of copies)
      for (const instruction of instructions) {
        mapOperands(instruction, mapped);
        mapDebugOperands(instruction, mapped);
        instruction.debugLocation = this.#inlined(instruction.debugLocation);
        if (instruction.op === 'phi')
          instruction.blocks = instruction.blocks.map(from => this.#blocks.get(from)!);
      }
    for (const copy of copies) mapSuccessors(terminatorOf(copy)!, to => this.#blocks.get(to)!);
    return copies;
  }

  /** The location with the call as the outermost frame. */
  #inlined(location: MetadataNode | undefined): MetadataNode | undefined {
    const body = specialized(location, 'DILocation');
    if (location === undefined || body === undefined) return location;
    let made = this.#locations.get(location);
    if (made === undefined) {
      const at = body.fields.get('inlinedAt');
      const outer = isNode(at) ? this.#inlined(at)! : this.call.debugLocation!;
      made = specializedNode('DILocation', { ...Object.fromEntries(body.fields), inlinedAt: outer });
      this.#locations.set(location, made);
    }
    return made;
  }

  /** The block ends with the copied entry, and the block that returns continues with the caller. */
  #divide(
    block: Block,
    first: Block,
    others: readonly Block[],
    after: readonly Instruction[],
    last: ReturnInstruction,
  ): void {
    for (const each of others) replaceSource(each, first, block);
    const end = [block, ...others].find(({ instructions }) => instructions.at(-1) === last)!;
    end.instructions.pop();
    end.instructions.push(...this.#returned(last), ...after);
    for (const successor of successorsOf(end)) replaceSource(successor, block, end);
    const { blocks } = this.target;
    blocks.splice(blocks.indexOf(block) + 1, 0, ...others);
  }

  #replaceResult(result: Value): void {
    const { call } = this;
    const replace = (operand: Value): Value => (operand === call ? result : operand);
    for (const { instructions } of this.target.blocks)
      for (const instruction of instructions) {
        mapOperands(instruction, replace);
        mapDebugOperands(instruction, replace);
      }
  }
}

function replaceSource({ instructions }: Block, from: Block, to: Block): void {
  for (const phi of instructions) {
    if (phi.op !== 'phi') return;
    phi.blocks = phi.blocks.map(each => (each === from ? to : each));
  }
}

/**
 * Whether these are bytes of a local, as clang writes their address: a name that the source uses
 * inside its scope. (Values of pointer variables are loads before promotion.)
 */
export function isInLocal(pointer: Value, bytes: number, layout: DataLayout): boolean {
  let [base, offset] = [pointer, 0];
  while (base.kind === 'instruction' && base.op === 'getelementptr') {
    const { constantBytes, scaled } = layout.gepSteps(base.sourceType, base.indices);
    if (scaled.length > 0) return false;
    offset += Number(constantBytes);
    base = base.base;
  }
  const type = typeOfLocal(base);
  return type !== undefined && offset >= 0 && offset + bytes <= layout.allocBytes(type);
}

/** The type of a local, or of a structure that is passed by value or returned. */
export function typeOfLocal(base: Value): Type | undefined {
  if (base.kind === 'argument') return (base.attributes.get('byval') ?? base.attributes.get('sret'))?.type;
  if (base.kind !== 'instruction' || base.op !== 'alloca' || base.count !== undefined) return undefined;
  return base.allocatedType;
}

/** Addresses of locals are always defined, and so are those of members. */
function isAddress(value: Value): boolean {
  if (value.kind === 'instruction' && value.op === 'getelementptr')
    return value.indices.every(isConstant) && isAddress(value.base);
  return typeOfLocal(value) !== undefined;
}

/** Whether this is the address of a local that can become a value. */
function isOfScalar(value: Value): boolean {
  return (
    value.kind === 'instruction' &&
    value.op === 'alloca' &&
    value.count === undefined &&
    !isAggregate(value.allocatedType)
  );
}

function isAggregate({ kind }: Type): boolean {
  return kind === 'array' || kind === 'struct';
}

function isNode(field: unknown): field is MetadataNode {
  return typeof field === 'object' && field !== null && 'kind' in field && field.kind === 'node';
}
