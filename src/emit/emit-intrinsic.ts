/**
 * Calls of `llvm.*`: a table by name, without the type suffixes. Other intrinsics are left to LLVM.
 *
 * | column | means |
 * |---|---|
 * | `effect` | as for instructions; most have none |
 * | `readsTwice` | an operand is pushed more than once, so it must lie in a local |
 * | `alias` | another name for its first argument |
 */
import type { CallInstruction, Value } from '../ir/model.js';
import { wasm } from '../wasm/instruction-bytes.js';
import { f32, f64, i32, i64, type ValueType } from '../wasm/wasm-opcodes.js';
import type { FunctionCode } from './function-body.js';
import { emitOverflow } from './overflow.js';
import type { Effect } from './value-plan.js';
import { componentsOf, NotEmitted, narrowBits } from './value-types.js';

export interface Intrinsic {
  readonly effect?: Effect;
  readonly readsTwice?: true;
  readonly alias?: true;
  /** Leaves the components of the result on the stack. */
  readonly emit?: (code: FunctionCode, call: CallInstruction) => void;
}

const nothing: Intrinsic = { emit: () => undefined };
const sameAsArgument: Intrinsic = { alias: true };

const bitsOf = (value: Value): number => (componentsOf(value.type)[0] === i64 ? 64 : 32);

/** One instruction for 32 bits, one for 64. */
function unary(opcode32: number, opcode64: number): Intrinsic {
  return {
    emit: (code, { args: [operand] }) => {
      code.push(operand!);
      code.op([f64, i64].includes(componentsOf(operand!.type)[0]!) ? opcode64 : opcode32);
      requireOne(operand!);
    },
  };
}

function requireOne(value: Value): void {
  if (componentsOf(value.type).length !== 1) throw new NotEmitted('an intrinsic on wide values');
}

function rotation(isLeft: boolean): Intrinsic {
  return {
    readsTwice: true,
    emit: (code, { args, type }) => {
      const [first, second, amount] = args as [Value, Value, Value];
      requireOne(first);
      if (narrowBits(type) !== 0) throw new NotEmitted('a rotation of narrow integers');
      const isLong = bitsOf(first) === 64;
      const more = isLong ? 0x12 : 0;
      if (code.plan.source(first) === code.plan.source(second)) {
        code.push(first);
        code.push(amount);
        return void code.op((isLeft ? wasm.i32Rotl : wasm.i32Rotr) + more);
      }
      // first << s | (second >> 1) >> ~s, or (first << 1) << ~s | second >> s: shifts are modulo
      // bits.
      const opposite = (): void => {
        code.push(amount);
        code.out.integer(isLong ? i64 : i32, -1);
        code.op(wasm.i32Xor + more);
      };
      const byOne = (value: Value, opcode: number): void => {
        code.push(value);
        code.out.integer(isLong ? i64 : i32, 1);
        code.op(opcode + more);
        opposite();
        code.op(opcode + more);
      };
      const byAmount = (value: Value, opcode: number): void => {
        code.push(value);
        code.push(amount);
        code.op(opcode + more);
      };
      if (isLeft) {
        byAmount(first, wasm.i32Shl);
        byOne(second, wasm.i32ShrU);
      } else {
        byOne(first, wasm.i32Shl);
        byAmount(second, wasm.i32ShrU);
      }
      code.op(wasm.i32Or + more);
    },
  };
}

/** Counts zeros above an integer that is narrower than its component, or below it. */
const leadingZeros: Intrinsic = {
  emit: (code, { args: [operand], type }) => {
    requireOne(operand!);
    code.push(operand!);
    const bits = bitsOf(operand!);
    code.op(bits === 64 ? wasm.i64Clz : wasm.i32Clz);
    const narrow = narrowBits(type);
    if (narrow === 0) return;
    code.out.integer(bits === 64 ? i64 : i32, bits - narrow);
    code.op(bits === 64 ? wasm.i64Sub : wasm.i32Sub);
  },
};

const trailingZeros: Intrinsic = {
  emit: (code, { args: [operand], type }) => {
    requireOne(operand!);
    code.push(operand!);
    const isLong = bitsOf(operand!) === 64;
    const narrow = narrowBits(type);
    if (narrow > 0 && isLong) {
      code.out.i64Const(1n << BigInt(narrow));
      code.op(wasm.i64Or);
    } else if (narrow > 0) {
      code.out.i32Const(1 << narrow);
      code.op(wasm.i32Or);
    }
    code.op(isLong ? wasm.i64Ctz : wasm.i32Ctz);
  },
};

const byteSwap: Intrinsic = {
  readsTwice: true,
  emit: (code, { args: [operand], type }) => {
    requireOne(operand!);
    const { out } = code;
    const bits = type.kind === 'integer' ? type.bits : 0;
    if (bits === 16) {
      for (const opcode of [wasm.i32Shl, wasm.i32ShrU]) {
        code.push(operand!);
        out.i32Const(8);
        code.op(opcode);
      }
      code.op(wasm.i32Or);
      return void code.mask(type);
    }
    if (bits === 32) {
      for (const [opcode, mask] of [
        [wasm.i32Rotl, 0x00ff00ff],
        [wasm.i32Rotr, 0xff00ff00 | 0],
      ] as const) {
        code.push(operand!);
        out.i32Const(8);
        code.op(opcode);
        out.i32Const(mask);
        code.op(wasm.i32And);
      }
      return void code.op(wasm.i32Or);
    }
    if (bits !== 64) throw new NotEmitted(`the bytes of ${bits} bits`);
    const local = code.scratch(i64);
    code.push(operand!);
    for (const [by, mask] of [
      [8, 0x00ff00ff00ff00ffn],
      [16, 0x0000ffff0000ffffn],
    ] as const) {
      out.local(wasm.localTee, local);
      out.i64Const(mask);
      code.op(wasm.i64And);
      out.i64Const(by);
      code.op(wasm.i64Shl);
      out.local(wasm.localGet, local);
      out.i64Const(by);
      code.op(wasm.i64ShrU);
      out.i64Const(mask);
      code.op(wasm.i64And);
      code.op(wasm.i64Or);
    }
    out.i64Const(32);
    code.op(wasm.i64Rotl);
  },
};

/** The one of two integers that a comparison chooses. */
function choice(predicate: 'slt' | 'sgt' | 'ult' | 'ugt'): Intrinsic {
  const opcode = { slt: 0x48, ult: 0x49, sgt: 0x4a, ugt: 0x4b }[predicate];
  return {
    readsTwice: true,
    emit: (code, { args }) => {
      const [left, right] = args as [Value, Value];
      requireOne(left);
      code.push(left);
      code.push(right);
      for (const side of [left, right])
        if (predicate.startsWith('s')) code.pushSigned(side);
        else code.push(side);
      code.op(opcode + (bitsOf(left) === 64 ? 0x0b : 0));
      code.op(wasm.select);
    },
  };
}

/** -1, 0 or 1: greater minus less. */
function threeWay(isSigned: boolean): Intrinsic {
  return {
    readsTwice: true,
    emit: (code, { args, type }) => {
      const [left, right] = args as [Value, Value];
      requireOne(left);
      if (componentsOf(type)[0] !== i32) throw new NotEmitted('a comparison in three ways');
      for (const opcode of isSigned ? [0x4a, 0x48] : [0x4b, 0x49]) {
        for (const side of [left, right])
          if (isSigned) code.pushSigned(side);
          else code.push(side);
        code.op(opcode + (bitsOf(left) === 64 ? 0x0b : 0));
      }
      code.op(wasm.i32Sub);
      code.mask(type);
    },
  };
}

const absolute: Intrinsic = {
  readsTwice: true,
  emit: (code, { args: [operand], type }) => {
    requireOne(operand!);
    const isLong = bitsOf(operand!) === 64;
    code.out.zero(isLong ? i64 : i32);
    code.push(operand!);
    code.op(isLong ? wasm.i64Sub : wasm.i32Sub);
    code.mask(type);
    code.push(operand!);
    code.pushSigned(operand!);
    code.out.zero(isLong ? i64 : i32);
    code.op(isLong ? wasm.i64LtS : 0x48);
    code.op(wasm.select);
  },
};

// ------------------------------------------------------------------------------------------ memory

/** Copies and fills up to this size become loads and stores. */
const shortest = 32;

function lengthOf(value: Value): number | undefined {
  return value.kind === 'integer' && value.value <= BigInt(shortest) ? Number(value.value) : undefined;
}

/** The pieces of a range, the widest first. */
function* widths(bytes: number): Iterable<{ readonly offset: number; readonly bytes: number }> {
  for (let offset = 0; offset < bytes; ) {
    const width = [8, 4, 2, 1].find(candidate => candidate <= bytes - offset)!;
    yield { offset, bytes: width };
    offset += width;
  }
}

const loads: Record<number, number> = {
  8: wasm.i64Load,
  4: wasm.i64Load32U,
  2: wasm.i64Load16U,
  1: wasm.i64Load8U,
};
const stores: Record<number, number> = {
  8: wasm.i64Store,
  4: wasm.i64Store32,
  2: wasm.i64Store16,
  1: wasm.i64Store8,
};

/** All pieces are read before one is written, so that source and target may overlap. */
const copy: Intrinsic = {
  effect: 'writes',
  readsTwice: true,
  emit: (code, { args }) => {
    const [to, from, length] = args as [Value, Value, Value];
    const short = lengthOf(length);
    if (short === undefined) return void bulk(code, [to, from, length], [0x0a, 0, 0]);
    const pieces = [...widths(short)];
    for (const { offset, bytes } of pieces) {
      code.push(to);
      code.push(from);
      code.out.access(loads[bytes]!, 1, offset);
    }
    for (const { offset, bytes } of pieces.reverse()) code.out.access(stores[bytes]!, 1, offset);
  },
};

const fill: Intrinsic = {
  effect: 'writes',
  readsTwice: true,
  emit: (code, { args }) => {
    const [to, value, length] = args as [Value, Value, Value];
    const short = lengthOf(length);
    if (short === undefined || value.kind !== 'integer')
      return void bulk(code, [to, value, length], [0x0b, 0]);
    for (const { offset, bytes } of widths(short)) {
      code.push(to);
      code.out.i64Const(BigInt.asIntN(64, value.value * 0x0101010101010101n));
      code.out.access(stores[bytes]!, 1, offset);
    }
  },
};

/** A length of zero accesses nothing, even if the address is invalid. */
function bulk(code: FunctionCode, operands: readonly Value[], immediates: readonly number[]): void {
  const length = operands.at(-1)!;
  const isKnown = length.kind === 'integer';
  if (isKnown && length.value === 0n) return;
  if (!isKnown) {
    code.out.append(Uint8Array.of(wasm.block, 0x40));
    code.push(length);
    code.op(bitsOf(length) === 64 ? wasm.i64Eqz : wasm.i32Eqz);
    code.out.branch(wasm.brIf, 0);
  }
  for (const operand of operands) code.push(operand);
  if (bitsOf(length) === 32) code.op(wasm.i64ExtendI32U);
  code.op(wasm.prefix);
  code.out.append(Uint8Array.from(immediates));
  if (!isKnown) code.op(wasm.end);
}

// ---------------------------------------------------------------------------------- floats, frames

/** A function of the C library, called `sin`, `sinf` or `sinl`. */
function libraryCall(name: string): Intrinsic {
  return {
    emit: (code, { args, type }) => {
      const result = componentsOf(type);
      if (result.length !== 1) throw new NotEmitted(`${name} of long double`);
      const parameters: ValueType[] = [];
      for (const argument of args) {
        code.pushAll(argument);
        parameters.push(...componentsOf(argument.type));
      }
      const full = result[0] === f32 ? `${name}f` : name;
      code.out.call(code.library(full, { parameters, results: result }));
    },
  };
}

const copySign: Intrinsic = {
  emit: (code, { args }) => {
    for (const argument of args) code.push(argument);
    code.op(componentsOf(args[0]!.type)[0] === f64 ? wasm.f64Copysign : wasm.f32Copysign);
    requireOne(args[0]!);
  },
};

const multiplyAdd: Intrinsic = {
  emit: (code, { args: [a, b, c] }) => {
    requireOne(a!);
    const more = componentsOf(a!.type)[0] === f64 ? 0x0e : 0;
    code.push(a!);
    code.push(b!);
    code.op(0x94 + more);
    code.push(c!);
    code.op(0x92 + more);
  },
};

const constantly = (pick: (call: CallInstruction) => number): Intrinsic => ({
  emit: (code, call) => code.out.integer(componentsOf(call.type)[0]!, pick(call)),
});

const saveStack: Intrinsic = {
  effect: 'writes',
  emit: code => code.out.global(wasm.globalGet, code.object.stackPointer),
};

const restoreStack: Intrinsic = {
  effect: 'writes',
  emit: (code, { args: [saved] }) => {
    code.push(saved!);
    code.out.global(wasm.globalSet, code.object.stackPointer);
  },
};

/** The buffer of the variable arguments is the last parameter; a va_list is a pointer into it. */
const beginList: Intrinsic = {
  effect: 'writes',
  emit: (code, { args: [list] }) => {
    if (code.variableArguments === undefined) throw new NotEmitted('va_start in a function without');
    code.push(list!);
    code.out.local(wasm.localGet, code.variableArguments);
    code.out.access(wasm.i64Store, 8, 0);
  },
};

const copyList: Intrinsic = {
  effect: 'writes',
  emit: (code, { args: [to, from] }) => {
    code.push(to!);
    code.push(from!);
    code.out.access(wasm.i64Load, 8, 0);
    code.out.access(wasm.i64Store, 8, 0);
  },
};

const mathFunctions =
  'sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 exp10 log log2 log10 pow fma round ldexp';

const table: Readonly<Record<string, Intrinsic>> = {
  'lifetime.start': nothing,
  'lifetime.end': nothing,
  'dbg.declare': nothing,
  'dbg.value': nothing,
  assume: nothing,
  'experimental.noalias.scope.decl': nothing,
  prefetch: nothing,
  va_end: nothing,
  donothing: nothing,
  expect: sameAsArgument,
  'expect.with.probability': sameAsArgument,
  'launder.invariant.group': sameAsArgument,
  'strip.invariant.group': sameAsArgument,
  'threadlocal.address': sameAsArgument,
  'ssa.copy': sameAsArgument,
  'redzone.apart': nothing,
  ptrmask: {
    emit: (code, { args }) => {
      for (const argument of args) code.push(argument);
      code.op(wasm.i64And);
    },
  },
  'is.constant': constantly(({ args }) => (['integer', 'float', 'null'].includes(args[0]!.kind) ? 1 : 0)),
  objectsize: constantly(({ args }) => (args[1]?.kind === 'integer' && args[1].value === 1n ? 0 : -1)),
  frameaddress: constantly(() => 0),
  returnaddress: constantly(() => 0),
  trap: { effect: 'writes', emit: code => code.op(wasm.unreachable) },
  debugtrap: { effect: 'writes', emit: code => code.op(wasm.unreachable) },
  ubsantrap: { effect: 'writes', emit: code => code.op(wasm.unreachable) },
  stacksave: saveStack,
  stackrestore: restoreStack,
  va_start: beginList,
  va_copy: copyList,
  memcpy: copy,
  'memcpy.inline': copy,
  memmove: copy,
  memset: fill,
  'memset.inline': fill,
  fshl: rotation(true),
  fshr: rotation(false),
  ctlz: leadingZeros,
  cttz: trailingZeros,
  ctpop: unary(wasm.i32Popcnt, wasm.i64Popcnt),
  bswap: byteSwap,
  smin: choice('slt'),
  smax: choice('sgt'),
  umin: choice('ult'),
  umax: choice('ugt'),
  abs: absolute,
  scmp: threeWay(true),
  ucmp: threeWay(false),
  fabs: unary(wasm.f32Abs, wasm.f64Abs),
  ceil: unary(wasm.f32Ceil, wasm.f64Ceil),
  floor: unary(wasm.f32Floor, wasm.f64Floor),
  trunc: unary(wasm.f32Trunc, wasm.f64Trunc),
  rint: unary(wasm.f32Nearest, wasm.f64Nearest),
  nearbyint: unary(wasm.f32Nearest, wasm.f64Nearest),
  roundeven: unary(wasm.f32Nearest, wasm.f64Nearest),
  sqrt: unary(wasm.f32Sqrt, wasm.f64Sqrt),
  copysign: copySign,
  fmuladd: multiplyAdd,
  minnum: libraryCall('fmin'),
  maxnum: libraryCall('fmax'),
  ...Object.fromEntries(mathFunctions.split(' ').map(name => [name, libraryCall(name)])),
  ...Object.fromEntries(
    (['sadd', 'ssub', 'smul', 'uadd', 'usub', 'umul'] as const).map(operation => [
      `${operation}.with.overflow`,
      { readsTwice: true, emit: (code, call) => emitOverflow(code, call, operation) } satisfies Intrinsic,
    ]),
  ),
};

const byName = new Map<string, Intrinsic | undefined>();

/** Undefined for functions that are not intrinsics, and for those that are left to LLVM. */
export function intrinsicOf({ callee }: CallInstruction): Intrinsic | undefined {
  if (callee.kind !== 'function' || !callee.name.startsWith('llvm.')) return undefined;
  const { name } = callee;
  if (!byName.has(name)) {
    // The type suffixes of the name: `.p0.i64`, `.f64`.
    const bare = name.slice(5).replace(/(\.(p\d+|i\d+|f\d+|isVoid))+$/, '');
    byName.set(name, table[bare]);
  }
  return byName.get(name);
}
