/**
 * Pointers that a program keeps in a NaN, or below a tag in the upper bits of an integer.
 *
 * ```
 *   value = 0xfffc000000000000 | (uint64_t)p;              %n = and i64 (ptrtoint %p), 2^47 - 1
 *                                                          %value = or i64 %n, 0xfffc000000000000
 *   p = (T *)(value & 0x3ffffffffffff);                    %q = inttoptr i64 (and %value, 0x3ffffffffffff) to ptr
 *                                                          %p = call ptr @llvm.redzone.unboxed(ptr %q)
 * ```
 *
 * Such programs rely on addresses of 47 bits, as on x86-64, whereas the upper half of a pointer is
 * its referent number under `check`. So the number is cut to 15 bits where a tag is added or read,
 * and completed where the tag is removed: by the owner of the memory at the address, if its number
 * ends in the same bits (`__rz_unboxed` in `runtime/monitor/check.c`). Otherwise the pointer stays
 * cut, and an access through it is an error: the object has ended.
 *
 * A tag is known by its bits above the 46th. Only integers that come from a pointer are cut, and
 * completing changes only numbers of 15 bits, so no other integer changes. As the unions of such
 * programs are in memory where they are passed, a value also comes from a pointer, or becomes one,
 * if the same block has just stored it as the other type.
 */
import { Builder, getOrDeclareFunction } from '../ir/builder.js';
import { integerConstant } from '../ir/constants.js';
import type { Block, Instruction, IrFunction, Module, Value } from '../ir/model.js';
import { mapDebugOperands, mapOperands } from '../ir/operands.js';
import { functionType, i64, ptr } from '../ir/types.js';

/** `(pointer)`: the pointer with its whole number. */
export const unboxedName = 'llvm.redzone.unboxed';

/** Addresses of x86-64, and so the bits that a boxed pointer keeps. */
const ADDRESS_BITS = 47n;
const ADDRESS_MASK = (1n << ADDRESS_BITS) - 1n;
/** A mask that removes a tag leaves the address, perhaps without its lowest bits. */
const LOWEST_BITS = 7n;
const WORD = 64n;
/** A tag has at least this many bits. */
const FEWEST_TAG_BITS = 12n;

/** Requires that locals have been promoted. Handles what has not been handled before. */
export function keepBoxedPointers(module: Module, target: IrFunction): void {
  const unboxed = new Map<Value, Value>();
  for (const block of target.blocks)
    if (block.instructions.some(mayBox)) new BoxesOfBlock(module, block, unboxed).run();
  if (unboxed.size === 0) return;
  const replace = (operand: Value): Value => unboxed.get(operand) ?? operand;
  for (const { instructions } of target.blocks)
    for (const instruction of instructions) {
      if (isUnboxing(instruction)) continue;
      mapOperands(instruction, replace);
      mapDebugOperands(instruction, replace);
    }
}

/** The instructions of which each block with a boxed pointer has one. */
function mayBox(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'or':
    case 'xor':
    case 'and':
    case 'lshr':
    case 'ashr':
      return instruction.type === i64;
    default:
      return instruction.op === 'inttoptr';
  }
}

class BoxesOfBlock {
  readonly #builder = new Builder([]);
  /** The last store of the block, and its place, while nothing else can have written there. */
  #stored: { readonly value: Value; readonly at: Value } | undefined;

  constructor(
    private readonly module: Module,
    private readonly block: Block,
    private readonly unboxed: Map<Value, Value>,
  ) {}

  run(): void {
    const { instructions } = this.block;
    const fromPointers = new Set<Value>();
    for (const [i, instruction] of instructions.entries()) {
      this.#builder.debugLocation = instruction.debugLocation;
      const stored = instruction.op === 'load' && this.#stored?.at === instruction.pointer;
      const source = stored ? this.#stored!.value : undefined;
      if (isPointerBits(instruction) || (instruction.type === i64 && source?.type === ptr))
        fromPointers.add(instruction);
      this.#cut(instruction, value => fromPointers.has(value) || isPointerBits(value));
      this.#builder.into.push(instruction);
      const bits = instruction.op === 'inttoptr' ? instruction.operand : source;
      if (
        instruction.type === ptr &&
        bits !== undefined &&
        isWithoutTag(bits) &&
        !isUnboxing(instructions[i + 1])
      )
        this.#unbox(instruction);
      this.#remember(instruction);
    }
    this.block.instructions = this.#builder.into;
  }

  /** Cuts the number where a tag is added to the bits of a pointer or extracted from them. */
  #cut(instruction: Instruction, isPointer: (value: Value) => boolean): void {
    switch (instruction.op) {
      case 'or':
      case 'xor':
      case 'and': {
        const { left, right } = instruction;
        if (isPointer(left) && !isPointer(right))
          instruction.left = this.#beside(right, left, instruction.op);
        else if (isPointer(right) && !isPointer(left))
          instruction.right = this.#beside(left, right, instruction.op);
        break;
      }
      case 'lshr':
      case 'ashr': {
        const { left, right } = instruction;
        if (isPointer(left) && right.kind === 'integer' && right.value >= ADDRESS_BITS)
          instruction.left = this.#address(left);
      }
    }
  }

  /** The bits of a pointer as the other operand of a tag, or of a mask of tags. */
  #beside(tag: Value, bits: Value, op: 'or' | 'xor' | 'and'): Value {
    const builder = this.#builder;
    if (tag.kind === 'integer') {
      const isTag = tag.value > ADDRESS_MASK && (op !== 'and' || (tag.value & ADDRESS_MASK) === 0n);
      return isTag ? this.#address(bits) : bits;
    }
    if (op !== 'or') return bits;
    const hasTag = builder.icmp('ugt', tag, integerConstant(i64, ADDRESS_MASK));
    return builder.select(hasTag, this.#address(bits), bits);
  }

  #address(bits: Value): Value {
    return this.#builder.binary('and', bits, integerConstant(i64, ADDRESS_MASK));
  }

  #unbox(pointer: Instruction): void {
    const marker = getOrDeclareFunction(this.module, unboxedName, functionType(ptr, [ptr]));
    this.unboxed.set(pointer, this.#builder.call(marker, [pointer]));
  }

  #remember(instruction: Instruction): void {
    if (instruction.op === 'store') this.#stored = { value: instruction.value, at: instruction.pointer };
    else if (instruction.op === 'call' || instruction.op === 'cmpxchg' || instruction.op === 'atomicrmw')
      this.#stored = undefined;
  }
}

function isUnboxing(instruction: Instruction | undefined): boolean {
  const callee = instruction?.op === 'call' ? instruction.callee : undefined;
  return callee?.kind === 'function' && callee.name === unboxedName;
}

function isPointerBits(value: Value): boolean {
  const isMade = value.kind === 'instruction' || value.kind === 'expression';
  return isMade && value.op === 'ptrtoint' && value.type === i64;
}

/** Whether a tag in the upper bits has been removed from this integer. */
function isWithoutTag(bits: Value): boolean {
  if (bits.kind !== 'instruction' || bits.type !== i64) return false;
  switch (bits.op) {
    case 'and': {
      const mask = constantOf(bits.right) ?? constantOf(bits.left);
      return (
        mask !== undefined && mask >> (WORD - FEWEST_TAG_BITS) === 0n && hasAddressBits(mask | LOWEST_BITS)
      );
    }
    case 'xor':
    case 'add':
    case 'sub': {
      const tag = constantOf(bits.right);
      return tag !== undefined && tag > ADDRESS_MASK && (tag & ADDRESS_MASK) === 0n;
    }
    case 'lshr':
    case 'ashr': {
      const by = constantOf(bits.right);
      const { left } = bits;
      const isShifted = left.kind === 'instruction' && left.op === 'shl' && constantOf(left.right) === by;
      return isShifted && by !== undefined && by >= FEWEST_TAG_BITS && by <= WORD - ADDRESS_BITS;
    }
    default:
      return false;
  }
}

function hasAddressBits(mask: bigint): boolean {
  return (mask & ADDRESS_MASK) === ADDRESS_MASK;
}

function constantOf(value: Value): bigint | undefined {
  return value.kind === 'integer' ? value.value : undefined;
}
