/**
 * Constants of the IR as values, and initializers as bytes. The addresses of globals are known when
 * the program is loaded.
 */
import * as V from '../../expr/value.js';
import { floatValue } from '../../ir/constants.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type { Constant, ConstantExpression, GlobalValue } from '../../ir/model.js';
import type { Type } from '../../ir/types.js';
import { assert, InternalError } from '../../support/assert.js';
import { writeKnown } from '../memory/object-state.js';
import { bitsOfFloat, type Known, type RegisterValue } from '../values/register-value.js';

export class Constants {
  readonly #layout: DataLayout;
  readonly #addressOf: (global: GlobalValue) => number;

  constructor(layout: DataLayout, addressOf: (global: GlobalValue) => number) {
    this.#layout = layout;
    this.#addressOf = addressOf;
  }

  /** Undef and poison are zero. */
  value(constant: Constant): RegisterValue {
    switch (constant.kind) {
      case 'integer':
        return V.toValue(constant.type.bits, constant.value);
      case 'float':
        return constant.type.bits === 32 || constant.type.bits === 64
          ? (floatValue(constant) ?? 0)
          : V.toValue(constant.type.bits, constant.bits);
      case 'null':
      case 'none':
        return 0;
      case 'zero':
      case 'undef':
      case 'poison':
        return this.zero(constant.type);
      case 'aggregate':
        return constant.elements.map(element => this.value(element));
      case 'bytes':
        return Array.from(constant.data, character => character.charCodeAt(0));
      case 'expression':
        return this.#expression(constant);
      case 'dso_local_equivalent':
      case 'no_cfi':
        return this.#addressOf(constant.target);
      case 'blockaddress':
        throw new InternalError('labels are numbered before a program is loaded');
      default:
        // `#addressOf` accepts globals only, so the compiler checks that nothing else is left.
        return this.#addressOf(constant);
    }
  }

  zero(type: Type): RegisterValue {
    switch (type.kind) {
      case 'struct':
        return (type.elements ?? []).map(element => this.zero(element));
      case 'array':
      case 'vector':
        return new Array<RegisterValue>(type.length).fill(this.zero(type.element));
      case 'integer':
      case 'float':
      case 'pointer':
      case 'void':
      case 'function':
      case 'label':
      case 'metadata':
      case 'token':
      case 'target':
        return 0;
    }
  }

  #scalar(constant: Constant): Known {
    const value = this.value(constant);
    assert(typeof value !== 'object', 'an operand of a constant expression is a scalar');
    return value;
  }

  #expression(expression: ConstantExpression): RegisterValue {
    const { op, operands, type, sourceType } = expression;
    const [first, second] = operands;
    assert(first !== undefined, 'a constant expression has operands');
    const bits = type.kind === 'integer' ? type.bits : 64;
    switch (op) {
      case 'getelementptr': {
        assert(sourceType !== undefined, 'a getelementptr says what it steps over');
        const { constantBytes } = this.#layout.gepSteps(sourceType, operands.slice(1));
        return V.toValue(64, BigInt(this.#scalar(first)) + constantBytes);
      }
      case 'add':
        return V.add(bits, this.#scalar(first), this.#scalar(second!));
      case 'sub':
        return V.sub(bits, this.#scalar(first), this.#scalar(second!));
      case 'xor':
        return V.xor(bits, this.#scalar(first), this.#scalar(second!));
      case 'trunc':
      case 'ptrtoint':
      case 'ptrtoaddr':
      case 'inttoptr':
        return V.toValue(bits, this.#scalar(first));
      case 'bitcast':
      case 'addrspacecast':
        return this.value(first);
      case 'extractelement':
      case 'insertelement':
      case 'shufflevector':
        return assert(false, `no constant expression of C is a ${op}`) as never;
    }
  }

  /** Writes an initializer into the bytes of its variable. */
  write(bytes: Uint8Array, offset: number, constant: Constant): void {
    if (constant.kind === 'zero' || constant.kind === 'undef' || constant.kind === 'poison') return;
    if (constant.kind === 'bytes') {
      for (let i = 0; i < constant.data.length; i++) bytes[offset + i] = constant.data.charCodeAt(i);
    } else if (constant.kind === 'aggregate') {
      this.#writeElements(bytes, offset, constant.type, constant.elements);
    } else {
      const { type } = constant;
      const value = this.#scalar(constant);
      const isFloat = type.kind === 'float' && (type.bits === 32 || type.bits === 64);
      const word = isFloat ? bitsOfFloat(type.bits, value as number) : value;
      writeKnown(bytes, offset, this.#layout.storeBytes(type), word);
    }
  }

  #writeElements(bytes: Uint8Array, offset: number, type: Type, elements: readonly Constant[]): void {
    if (type.kind === 'struct') {
      const { offsets } = this.#layout.structLayout(type);
      elements.forEach((element, i) => {
        this.write(bytes, offset + offsets[i]!, element);
      });
      return;
    }
    assert(type.kind === 'array' || type.kind === 'vector', 'only aggregates have elements');
    const stride = this.#layout.allocBytes(type.element);
    elements.forEach((element, i) => {
      this.write(bytes, offset + i * stride, element);
    });
  }
}
