/**
 * Value numbers: instructions that compute the same thing from the same operands get the same
 * number.
 *
 * clang computes `a[i]` anew for each occurrence, as `sext` and `getelementptr` of the same
 * operands. Value numbers identify these copies without changing the function. Only operations
 * without effects that read no memory are compared; everything else is equal to itself alone.
 */
import type { Instruction, IrFunction, Value } from '../ir/model.js';
import { forEachOperand } from '../ir/operands.js';

export class ValueNumbers {
  readonly #numbers = new Map<Value, number>();
  readonly #known = new Map<string, number>();
  #next = 0;

  /** Blocks are numbered in the given order: definitions before uses, except through phis. */
  constructor(blocks: IrFunction['blocks']) {
    for (const block of blocks)
      for (const instruction of block.instructions) this.#numberInstruction(instruction);
  }

  numberOf(value: Value): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const number = value.kind === 'integer' ? this.#keyed(`${value.type.bits}:${value.value}`) : this.#next++;
    this.#numbers.set(value, number);
    return number;
  }

  #numberInstruction(instruction: Instruction): void {
    const kind = pureKind(instruction);
    if (kind === undefined) return;
    let key = kind;
    forEachOperand(instruction, operand => {
      key += ` ${this.numberOf(operand)}`;
    });
    this.#numbers.set(instruction, this.#keyed(key));
  }

  #keyed(key: string): number {
    let number = this.#known.get(key);
    if (number === undefined) {
      number = this.#next++;
      this.#known.set(key, number);
    }
    return number;
  }
}

/** A key for the operation without its operands; undefined for operations that are not compared. */
function pureKind(instruction: Instruction): string | undefined {
  switch (instruction.op) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'and':
    case 'or':
    case 'xor':
    case 'shl':
    case 'lshr':
    case 'ashr':
      return instruction.op;
    case 'sext':
    case 'zext':
    case 'trunc':
      return instruction.type.kind === 'integer' ? `${instruction.op} ${instruction.type.bits}` : undefined;
    case 'getelementptr':
      return `gep ${typeKey(instruction.sourceType)}`;
    default:
      // Other operations depend on memory or are rarely repeated.
      return undefined;
  }
}

const typeKeys = new WeakMap<object, number>();
let nextTypeKey = 0;

/**
 * Types are compared by identity: equal types that are not identical only give different numbers.
 */
function typeKey(type: object): number {
  let key = typeKeys.get(type);
  if (key === undefined) {
    key = nextTypeKey++;
    typeKeys.set(type, key);
  }
  return key;
}
