/** Functions that return zeroes, called in place of an invalid target: one for each type. */
import { AttributeSet, attribute } from '../../ir/attributes.js';
import { Builder, makeBlock, makeFunction } from '../../ir/builder.js';
import { zeroConstant } from '../../ir/constants.js';
import type { IrFunction, Module } from '../../ir/model.js';
import { type FunctionType, voidType } from '../../ir/types.js';

export class EmptyFunctions {
  readonly #made = new Map<FunctionType, IrFunction>();
  /** How often one was needed. */
  uses = 0;

  constructor(private readonly module: Module) {}

  get all(): readonly IrFunction[] {
    return [...this.#made.values()];
  }

  ofType(type: FunctionType): IrFunction {
    this.uses++;
    const known = this.#made.get(type);
    if (known !== undefined) return known;
    const made = makeFunction(`__rz_raw_nothing.${this.#made.size}`, type);
    made.linkage = 'internal';
    made.attributes = AttributeSet.of(attribute('noinline'));
    const block = makeBlock('entry');
    new Builder(block.instructions).ret(type.returns === voidType ? undefined : zeroConstant(type.returns));
    made.blocks = [block];
    this.module.functions.push(made);
    this.#made.set(type, made);
    return made;
  }
}
