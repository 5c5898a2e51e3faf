/**
 * The check before one access, and before the use of a value that may be undefined: the inline condition, and the call of the
 * slow path when it does not hold.
 */
import type { Builder } from '../../ir/builder.js';
import { integerConstant, nullConstant } from '../../ir/constants.js';
import type { Constant, Instruction, Value } from '../../ir/model.js';
import { isTerminator } from '../../ir/operands.js';
import { type IntegerType, i32, i64 } from '../../ir/types.js';
import type { FastLoops } from './fast-loops.js';
import type { Context } from './function.js';
import type { MemoryAccess } from './memory-access.js';
import { isShadowAlone } from './options.js';
import type { FunctionRewriter } from './rewriter.js';
import type { RuntimeFunction } from './runtime.js';
import { shadowType, type UndefinedValues } from './undefined-values.js';

export class AccessChecks {
  /** What has been found defined in the current block. */
  readonly #definedHere = new Set<Value>();
  readonly #readSlow: RuntimeFunction;
  readonly #writeSlow: RuntimeFunction;

  constructor(
    private readonly context: Context,
    private readonly rewriter: FunctionRewriter,
    private readonly undefinedValues: UndefinedValues | undefined,
    private readonly site: (at: Instruction) => Constant,
  ) {
    const { options } = context;
    const isAlone = isShadowAlone(options);
    this.#readSlow = isAlone ? '__rz_shadow_read' : options.init ? '__rz_load_strict' : '__rz_load_slow';
    this.#writeSlow = isAlone ? '__rz_shadow_write' : '__rz_store_slow';
  }

  get #builder(): Builder {
    return this.rewriter.builder;
  }

  load(load: Instruction, access: MemoryAccess): void {
    const condition = this.undefinedValues?.isCarrier(load) ? this.#fastCondition(access) : undefined;
    if (condition === undefined) {
      this.alone(access, load);
      this.rewriter.emit(load);
      return;
    }
    const type = shadowType(load.type)!;
    let bits: Value = integerConstant(type, 0);
    const zero = bits;
    const { fast, slow } = this.rewriter.guard(condition, cold => {
      const wide = cold.call(
        this.context.runtime.function('__rz_load_bits'),
        this.#slowArguments(access, load),
      );
      bits = type === i64 ? wide : cold.cast('trunc', wide, type);
    });
    this.undefinedValues?.setLoaded(load, this.rewriter.guardPhi([zero, fast], [bits, slow]));
    this.rewriter.emit(load);
  }

  store(store: Instruction, access: MemoryAccess): void {
    const { runtime, options } = this.context;
    const shadow = store.op === 'store' ? this.undefinedValues?.shadowOf(store.value) : undefined;
    const condition = this.#fastCondition(access);
    const args = this.#slowArguments(access, store);
    let allowed: Value = access.pointer;
    const slowPath = (cold: Builder) => {
      if (shadow === undefined) {
        allowed = cold.call(runtime.function(this.#writeSlow), args);
      } else {
        const bits = shadow.type === i64 ? shadow : cold.cast('zext', shadow, i64);
        allowed = cold.call(runtime.function('__rz_store_bits'), [...args, bits]);
      }
    };
    if (condition === undefined) {
      slowPath(this.#builder);
    } else {
      const isPlain = shadow === undefined ? condition : this.#andDefined(condition, shadow);
      const { fast, slow } = this.rewriter.guard(isPlain, slowPath);
      if (options.keepGoing) allowed = this.rewriter.guardPhi([access.pointer, fast], [allowed, slow]);
    }
    if (options.keepGoing) setPointer(store, allowed);
    this.rewriter.emit(store);
  }

  /** A check alone: whatever is loaded must be defined. */
  alone(access: MemoryAccess, at: Instruction): void {
    const slow = this.context.runtime.function(access.isStore ? this.#writeSlow : this.#readSlow);
    const args = this.#slowArguments(access, at);
    const condition = this.#fastCondition(access);
    if (condition === undefined) this.#builder.call(slow, args);
    else this.rewriter.guard(condition, cold => cold.call(slow, args));
  }

  /** Reports the operands that must be defined and are not; each value once in a block. */
  requireDefined(instruction: Instruction): void {
    if (this.undefinedValues === undefined) return;
    for (const operand of this.undefinedValues.operandsThatMatter(instruction)) {
      const shadow = this.undefinedValues.shadowOf(operand);
      if (shadow === undefined || this.#definedHere.has(operand)) continue;
      this.#definedHere.add(operand);
      const type = shadow.type as IntegerType;
      const isDefined = this.#builder.icmp('eq', shadow, integerConstant(type, 0));
      this.rewriter.guard(isDefined, cold => {
        const origin = this.undefinedValues?.originOf(operand);
        cold.call(this.context.runtime.function('__rz_undefined_used'), [
          ...[integerConstant(i32, type.bits), this.site(instruction)],
          origin?.pointer ?? nullConstant,
          integerConstant(i32, origin === undefined ? 0 : this.context.layout.storeBytes(origin.type)),
        ]);
      });
    }
    if (isTerminator(instruction)) this.#definedHere.clear();
  }

  /** A fast loop is entered with defined values only. */
  requireDefinedToEnter(instruction: Instruction, { entries }: FastLoops): void {
    if (instruction.op !== 'condbr') return;
    for (const value of entries.get(instruction) ?? []) {
      const shadow = this.undefinedValues?.shadowOf(value);
      if (shadow !== undefined) instruction.condition = this.#andDefined(instruction.condition, shadow);
    }
  }

  #andDefined(condition: Value, shadow: Value): Value {
    const isDefined = this.#builder.icmp('eq', shadow, integerConstant(shadow.type as IntegerType, 0));
    return this.#builder.binary('and', condition, isDefined);
  }

  #fastCondition({ pointer, type, align, isStore }: MemoryAccess): Value | undefined {
    const bytes = this.context.layout.storeBytes(type);
    return this.context.checks.fastCondition(this.#builder, { pointer, bytes, align, isStore });
  }

  #slowArguments({ pointer, type }: MemoryAccess, at: Instruction): Value[] {
    return [pointer, integerConstant(i32, this.context.layout.storeBytes(type)), this.site(at)];
  }
}

export function setPointer(instruction: Instruction, pointer: Value): void {
  if ('pointer' in instruction) instruction.pointer = pointer;
}
