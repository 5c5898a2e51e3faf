/**
 * Arithmetic with overflow detection. Up to 32 bits it is done in 64 bits; with 64 bits the signs
 * of operands and result show the overflow, and for products a division.
 */

import type { CallInstruction, Value } from '../ir/model.js';
import { unreachable } from '../support/assert.js';
import { wasm } from '../wasm/instruction-bytes.js';
import { i32, i64 } from '../wasm/wasm-opcodes.js';
import type { FunctionCode } from './function-body.js';
import { componentsOf, NotEmitted, narrowBits } from './value-types.js';

export type Overflowing = 'sadd' | 'ssub' | 'smul' | 'uadd' | 'usub' | 'umul';

const opcodes = { add: wasm.i64Add, sub: wasm.i64Sub, mul: wasm.i64Mul };

/** Leaves the result and the flag on the stack. */
export function emitOverflow(code: FunctionCode, { args }: CallInstruction, operation: Overflowing): void {
  const [left, right] = args as [Value, Value];
  const opcode = opcodes[operation.slice(1) as keyof typeof opcodes];
  const components = componentsOf(left.type);
  if (components.length === 1 && components[0] === i32)
    narrow(code, left, right, opcode, operation[0] === 's');
  else if (components.length === 1 && narrowBits(left.type) === 0) wide(code, left, right, opcode, operation);
  else throw new NotEmitted('overflow of unusual integers');
}

function narrow(code: FunctionCode, left: Value, right: Value, opcode: number, isSigned: boolean): void {
  const { out } = code;
  const whole = code.scratch(i64, 'whole');
  const bits = narrowBits(left.type) || 32;
  for (const side of [left, right]) {
    if (isSigned) code.pushSigned(side);
    else code.push(side);
    code.op(isSigned ? wasm.i64ExtendI32S : wasm.i64ExtendI32U);
  }
  code.op(opcode);
  out.local(wasm.localTee, whole);
  code.op(wasm.i32WrapI64);
  code.mask(left.type);
  out.local(wasm.localGet, whole);
  if (isSigned) {
    if (bits === 32) code.op(wasm.i64Extend32S);
    else
      for (const shift of [wasm.i64Shl, wasm.i64ShrS]) {
        out.i64Const(64 - bits);
        code.op(shift);
      }
    out.local(wasm.localGet, whole);
    code.op(wasm.i64Ne);
  } else {
    out.i64Const(bits);
    code.op(wasm.i64ShrU);
    out.zero(i64);
    code.op(wasm.i64Ne);
  }
}

function wide(code: FunctionCode, left: Value, right: Value, opcode: number, operation: Overflowing): void {
  const { out } = code;
  const result = code.scratch(i64, 'result');
  const get = (): void => out.local(wasm.localGet, result);
  code.push(left);
  code.push(right);
  code.op(opcode);
  out.local(wasm.localTee, result);
  switch (operation) {
    case 'uadd':
      get();
      code.push(left);
      return void code.op(wasm.i64LtU);
    case 'usub':
      code.push(left);
      code.push(right);
      return void code.op(wasm.i64LtU);
    case 'sadd':
    case 'ssub':
      // The result has another sign than an operand, and for a difference the operands differ too.
      code.push(left);
      get();
      code.op(wasm.i64Xor);
      code.push(right);
      if (operation === 'sadd') get();
      else code.push(left);
      code.op(wasm.i64Xor);
      code.op(wasm.i64And);
      out.zero(i64);
      return void code.op(wasm.i64LtS);
    case 'smul':
    case 'umul':
      return void product(code, left, right, result, operation === 'smul');
    default:
      unreachable(operation);
  }
}

/**
 * A product divided by a factor is the other factor. The factors 0 and, if signed, -1 are special
 * cases, because WebAssembly traps on such divisions.
 */
function product(code: FunctionCode, left: Value, right: Value, result: number, isSigned: boolean): void {
  const { out } = code;
  // left == 0 ? false : left == -1 ? right == MIN : result / left != right
  const isSpecial = (): void => {
    code.push(left);
    if (!isSigned) return void code.op(wasm.i64Eqz);
    out.i64Const(1);
    code.op(wasm.i64Add);
    out.i64Const(2);
    code.op(wasm.i64LtU);
  };
  if (isSigned) {
    code.push(left);
    out.i64Const(-1);
    code.op(wasm.i64Eq);
    code.push(right);
    out.i64Const(-(1n << 63n));
    code.op(wasm.i64Eq);
    code.op(wasm.i32And);
  } else out.zero(i32);
  out.local(wasm.localGet, result);
  out.i64Const(1);
  code.push(left);
  isSpecial();
  code.op(wasm.select);
  code.op(isSigned ? wasm.i64DivS : wasm.i64DivU);
  code.push(right);
  code.op(wasm.i64Ne);
  isSpecial();
  code.op(wasm.select);
}
