/**
 * The names inside one function while it is read: values and blocks, by name or number.
 *
 * A block that is mentioned first is made at once, because only a block can stand after `label`. A
 * value that is mentioned first becomes a `ForwardReference`, which passes for an argument until
 * the function ends; then the instructions that hold one are visited and get the real value.
 */
import { AttributeSet } from '../attributes.js';
import { makeBlock } from '../builder.js';
import type { Argument, Block, Instruction, Value } from '../model.js';
import { mapDebugOperands, mapOperands } from '../operands.js';
import type { Type } from '../types.js';
import type { Lexer } from './lexer.js';

/** A placeholder for a local value that is defined later. */
class ForwardReference implements Argument {
  readonly kind = 'argument';
  readonly type: Type;
  readonly name = undefined;
  readonly attributes: AttributeSet = AttributeSet.empty;
  readonly offset: number;
  resolved: Value | undefined = undefined;

  constructor(type: Type, offset: number) {
    this.type = type;
    this.offset = offset;
  }
}

export type LocalName = string | number;

export class FunctionScope {
  readonly #lexer: Lexer;
  readonly #named = new Map<string, Value>();
  readonly #numbered: (Value | undefined)[] = [];
  readonly #blocks = new Map<LocalName, Block>();
  /** Blocks that were mentioned and have not appeared yet, with the place of the first mention. */
  readonly #missingBlocks = new Map<Block, number>();
  readonly #forward: ForwardReference[] = [];
  readonly #holders: Instruction[] = [];
  #mentionedForward = false;
  #nextNumber = 0;

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
  }

  /** The number that the next unnamed argument, block or result has. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** The local name at the lexer's position. */
  nameHere(): LocalName {
    return this.#lexer.value >= 0 ? this.#lexer.value : this.#lexer.unescaped;
  }

  /** The local value at the lexer's position, as an operand of this type. */
  use(type: Type): Value {
    const number = this.#lexer.value;
    const name = number >= 0 ? '' : this.#lexer.unescaped;
    const known = number >= 0 ? this.#numbered[number] : this.#named.get(name);
    if (known !== undefined) {
      if (known.type !== type) {
        this.#lexer.fail(`${this.#lexer.describe()} has another type where it is defined`);
      }
      if (known instanceof ForwardReference) this.#mentionedForward = true;
      return known;
    }
    const forward = new ForwardReference(type, this.#lexer.offset);
    this.#forward.push(forward);
    this.#mentionedForward = true;
    if (number >= 0) this.#numbered[number] = forward;
    else this.#named.set(name, forward);
    return forward;
  }

  /**
   * Gives a value its name, or the next number if it has none. `offset` is the position for
   * messages.
   */
  define(name: LocalName | undefined, value: Value, offset: number): void {
    if (typeof name === 'string') {
      const known = this.#named.get(name);
      if (known !== undefined) this.#resolve(known, value, offset);
      this.#named.set(name, value);
      return;
    }
    const number = this.#takeNumber(name, offset);
    const known = this.#numbered[number];
    if (known !== undefined) this.#resolve(known, value, offset);
    this.#numbered[number] = value;
  }

  #resolve(known: Value, value: Value, offset: number): void {
    if (!(known instanceof ForwardReference)) this.#lexer.fail('this name is defined twice', offset);
    if (known.type !== value.type) this.#lexer.fail('this is used with another type', known.offset);
    known.resolved = value;
  }

  /** LLVM lets numbers skip ahead but never go back. */
  #takeNumber(wanted: number | undefined, offset: number): number {
    const number = wanted ?? this.#nextNumber;
    if (number < this.#nextNumber) {
      this.#lexer.fail(`expected a number of at least ${this.#nextNumber}`, offset);
    }
    this.#nextNumber = number + 1;
    return number;
  }

  /** The block of this name, which may be defined later. */
  block(name: LocalName, offset: number): Block {
    let block = this.#blocks.get(name);
    if (block === undefined) {
      block = makeBlock(typeof name === 'string' ? name : undefined);
      this.#blocks.set(name, block);
      this.#missingBlocks.set(block, offset);
    }
    return block;
  }

  /** The block that begins here; without a name it takes the next number. */
  beginBlock(name: LocalName | undefined, offset: number): Block {
    const key = typeof name === 'string' ? name : this.#takeNumber(name, offset);
    const known = this.#blocks.get(key);
    const block = this.block(key, offset);
    if (known !== undefined && !this.#missingBlocks.has(block)) {
      this.#lexer.fail('this block is defined twice', offset);
    }
    this.#missingBlocks.delete(block);
    return block;
  }

  /** Must be called after each instruction: records it if it mentions something undefined. */
  finishInstruction(instruction: Instruction): void {
    if (!this.#mentionedForward) return;
    this.#mentionedForward = false;
    this.#holders.push(instruction);
  }

  /** At the end of the function: every name must have been defined. */
  finish(): void {
    for (const forward of this.#forward) {
      if (forward.resolved === undefined) {
        this.#lexer.fail('this value is never defined', forward.offset);
      }
    }
    for (const offset of this.#missingBlocks.values()) {
      this.#lexer.fail('this block is never defined', offset);
    }
    for (const holder of this.#holders) {
      mapOperands(holder, resolved);
      mapDebugOperands(holder, resolved);
    }
  }
}

function resolved(value: Value): Value {
  if (value instanceof ForwardReference) return value.resolved ?? value;
  if (value.kind === 'metadata' && value.metadata.kind === 'value') {
    value.metadata.value = resolved(value.metadata.value);
  }
  return value;
}
