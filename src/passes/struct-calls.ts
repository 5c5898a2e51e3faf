/**
 * Inlines small functions that take or return structures.
 *
 * A structure is passed and returned in memory, so each call makes blocks of the structures that
 * the caller computes with: they get numbers, their bytes get states, and all of it ends again.
 * Such functions are mostly a few operations on members (vectors, complex numbers, points). When
 * they are part of the caller, the structures are only read and written there member by member,
 * and `split-structs.ts` turns them into values.
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
import { Builder, getOrDeclareFunction, makeBlock } from '../ir/builder.js';
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
import { isStructArgument, structsPassed } from './whole-struct.js';

/** `(pointer, bytes)`: the bytes must be accessible, as if they were passed. */
export const readName = 'llvm.redzone.read';
/** `(value, ...)`: the values must be defined. */
export const definedName = 'llvm.redzone.defined';

/** In instructions: what is copied, and how large a function may become. */
const largestCallee = 60;
const largestCaller = 1000;

/** Whether calls of the function may be inlined. `readAtEntry` are arguments that need no copy. */
export function isStructFunction(target: IrFunction, readAtEntry: ReadonlySet<Argument>): boolean {
  const { linkage, functionType: type, arguments: list, blocks, name } = target;
  if (blocks.length === 0 || type.variadic || !['external', 'internal', 'private'].includes(linkage))
    return false;
  if (name === 'main' || name.startsWith('__rz_') || target.personality !== undefined) return false;
  if (target.attributes.has('noinline') || target.attributes.has('returns_twice')) return false;
  if (!list.some(({ attributes }) => attributes.has('byval') || attributes.has('sret'))) return false;
  if (list.some(each => isStructArgument(each) || (each.attributes.has('byval') && !readAtEntry.has(each))))
    return false;
  const code = blocks.flatMap(({ instructions }) => instructions.filter(({ op }) => op !== 'debug-record'));
  return code.length <= largestCallee && code.every(each => mayBeCopied(each, target)) && isTree(target);
}

function mayBeCopied(instruction: Instruction, target: IrFunction): boolean {
  switch (instruction.op) {
    case 'alloca':
    case 'callbr':
    case 'indirectbr':
      return false;
    case 'ret':
      // A result that several `return` statements pass on is checked at each of them.
      return !(instruction.value?.kind === 'instruction' && instruction.value.op === 'phi');
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

/** Whether there is no loop, and one `return`, which the entry reaches. */
function isTree(target: IrFunction): boolean {
  const finished = new Set<Block>();
  const entered = new Set<Block>();
  const goes = (block: Block): boolean => {
    if (finished.has(block)) return true;
    if (entered.has(block)) return false;
    entered.add(block);
    if (!successorsOf(block).every(goes)) return false;
    finished.add(block);
    return true;
  };
  if (!goes(target.blocks[0]!) || finished.size !== target.blocks.length) return false;
  return target.blocks.filter(block => terminatorOf(block)?.op === 'ret').length === 1;
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

/** Inlines the calls of the given functions. */
export function inlineStructCalls(
  module: Module,
  target: IrFunction,
  layout: DataLayout,
  mayInline: ReadonlySet<IrFunction>,
): void {
  if (mayInline.size === 0) return;
  let size = target.blocks.reduce((sum, { instructions }) => sum + instructions.length, 0);
  for (let i = 0; i < target.blocks.length; i++) {
    for (let at = 0; at < target.blocks[i]!.instructions.length; at++) {
      const block = target.blocks[i]!;
      const call = block.instructions[at]!;
      if (call.op !== 'call' || !isInlinable(call, mayInline)) continue;
      const callee = call.callee as IrFunction;
      size += callee.blocks.reduce((sum, { instructions }) => sum + instructions.length, 0);
      if (size > largestCaller) return;
      new InlinedCall(module, target, layout, call, callee).replace(block, at);
    }
  }
}

function isInlinable(call: CallInstruction, mayInline: ReadonlySet<IrFunction>): boolean {
  const { callee, functionType: type, bundles, debugLocation, tail } = call;
  if (callee.kind !== 'function' || !mayInline.has(callee) || callee.functionType !== type) return false;
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
    if (value === undefined) return [];
    const builder = new Builder([], debugLocation ?? this.call.debugLocation);
    this.#require(builder, [value]);
    return builder.into;
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

  /** The block ends with the copied entry; what followed the call gets a block of its own. */
  #divide(
    block: Block,
    first: Block,
    others: readonly Block[],
    after: readonly Instruction[],
    last: ReturnInstruction,
  ): void {
    const rest = makeBlock();
    rest.instructions.push(...after);
    for (const successor of successorsOf(rest)) replaceSource(successor, block, rest);
    for (const each of others) replaceSource(each, first, block);
    const end = [block, ...others].find(({ instructions }) => instructions.at(-1) === last)!;
    end.instructions.pop();
    end.instructions.push(...this.#returned(last));
    new Builder(end.instructions, this.call.debugLocation).br(rest);
    const { blocks } = this.target;
    blocks.splice(blocks.indexOf(block) + 1, 0, ...others, rest);
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

function typeOfLocal(base: Value): Type | undefined {
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

function isNode(field: unknown): field is MetadataNode {
  return typeof field === 'object' && field !== null && 'kind' in field && field.kind === 'node';
}
