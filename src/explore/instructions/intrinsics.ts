/**
 * LLVM's intrinsics that clang emits for C. Each is a native function, chosen by its name without
 * the types.
 */

import type { Terms } from '../../expr/terms.js';
import * as V from '../../expr/value.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type { CallInstruction } from '../../ir/model.js';
import { scalarType } from '../../ir/types.js';
import { Region } from '../../kdalloc/index.js';
import { hookIntrinsic } from '../../plugins/insert-hooks.js';
import { assert } from '../../support/assert.js';
import { load, store } from '../access/access.js';
import { leaveScope, restoreStack } from '../access/activation-locals.js';
import { checkApart, checkRange, copyBytes, fillBytes, lengthOf } from '../access/copy.js';
import { noteOwnRange } from '../access/shared-access.js';
import { flowIntrinsic } from '../natives/path-flows.js';
import { runHook } from '../natives/path-plugins.js';
import { argumentsOf, type CallArguments, type Native, SWITCHED } from '../state/decoded.js';
import type { Path, Running } from '../state/running.js';
import { integerOperation, signedOverflows, unsignedOverflows } from '../values/integer-operations.js';
import { asTerm, isAggregate, known, type RegisterValue, type Scalar } from '../values/register-value.js';
import { floatIntrinsics } from './float-intrinsics.js';
import { checkOverflow } from './integer.js';

/** Made for the width of the first operand, or of the result. */
type Make = (width: number) => Native;

export function intrinsicOf(layout: DataLayout, call: CallInstruction, name: string): Native | undefined {
  if (name === hookIntrinsic) return runHook;
  const flow = flowIntrinsic(layout, call, name);
  if (flow !== undefined) return flow;
  const type = scalarType(call.args[0]?.type ?? call.type);
  const width =
    type.kind === 'integer' || type.kind === 'float' || type.kind === 'pointer' ? layout.bits(type) : 0;
  const plainName = name.slice('llvm.'.length);
  const float = floatIntrinsics(plainName, width);
  if (float !== undefined) return float;
  // `umul.with.overflow.i32`: finds the longest known prefix of the name.
  for (let end = plainName.length; end > 0; end = plainName.lastIndexOf('.', end - 1)) {
    const make = intrinsics[plainName.slice(0, end)];
    if (make !== undefined) return onElements(make(width), call);
  }
  return undefined;
}

/** An intrinsic on vectors works element by element. */
function onElements(native: Native, call: CallInstruction): Native {
  if (call.type.kind !== 'vector') return native;
  const { length } = call.type;
  // Here the arguments are vectors, whatever the type of natives says.
  const elementsAt = (args: readonly RegisterValue[], i: number): RegisterValue[] =>
    args.map(arg => (isAggregate(arg) ? arg[i]! : arg));
  return (machine, args) =>
    Array.from({ length }, (_, i) => {
      const result = native(machine, argumentsOf(elementsAt(args, i)));
      assert(result !== undefined && result !== SWITCHED, 'an intrinsic on vectors has a result');
      return result;
    });
}

const nothing: Make = () => () => undefined;

const withOverflow =
  (op: 'add' | 'sub' | 'mul', isSigned: boolean): Make =>
  width =>
  ({ terms }, [a, b]) => {
    const overflows = isSigned ? signedOverflows : unsignedOverflows;
    const result = integerOperation(terms, op, width, a, b);
    return [result, known(overflows(terms, op, width, a, b))];
  };

const saturating =
  (op: 'add' | 'sub', isSigned: boolean): Make =>
  width =>
  ({ terms }, [a, b]) => {
    const x = asTerm(terms, width, a);
    const y = asTerm(terms, width, b);
    const overflows = (isSigned ? signedOverflows : unsignedOverflows)(terms, op, width, x, y);
    const greatest = terms.constant(width, isSigned ? (1n << BigInt(width - 1)) - 1n : -1);
    const least = terms.constant(width, isSigned ? 1n << BigInt(width - 1) : 0);
    const isNegative = terms.slt(x, terms.constant(width, 0));
    const limit = isSigned ? terms.ite(isNegative, least, greatest) : op === 'add' ? greatest : least;
    return known(terms.ite(overflows, limit, terms[op](x, y)));
  };

const choose =
  (comparison: 'ult' | 'ugt' | 'slt' | 'sgt'): Make =>
  width =>
  ({ terms }, [a, b]) => {
    const x = asTerm(terms, width, a);
    const y = asTerm(terms, width, b);
    return known(terms.ite(terms[comparison](x, y), x, y));
  };

/** Bit `i` of a term as a term of the same width. */
function bit(terms: Terms, width: number, value: Scalar, i: number) {
  return terms.zext(terms.extract(asTerm(terms, width, value), i, 1), width);
}

/** The number of zero bits before the first one, in the order of `bits`. */
const countZeros =
  (fromTop: boolean): Make =>
  width =>
  ({ terms }, [a]) => {
    let count = terms.constant(width, width);
    for (let i = 0; i < width; i++) {
      const position = fromTop ? i : width - 1 - i;
      const zeros = fromTop ? width - 1 - i : width - 1 - i;
      const isSet = terms.extract(asTerm(terms, width, a), position, 1);
      count = terms.ite(isSet, terms.constant(width, fromTop ? zeros : position), count);
    }
    return known(count);
  };

/** Reverses the order of the parts of a word. */
const reverse =
  (partBits: number): Make =>
  width =>
  ({ terms }, [a]) => {
    const word = asTerm(terms, width, a);
    let result = terms.extract(word, 0, partBits);
    for (let at = partBits; at < width; at += partBits)
      result = terms.concat(result, terms.extract(word, at, partBits));
    return known(result);
  };

const funnelShift =
  (isLeft: boolean): Make =>
  width =>
  ({ terms }, [high, low, amount]) => {
    const by = terms.urem(asTerm(terms, width, amount), terms.constant(width, width));
    const both = terms.concat(asTerm(terms, width, high), asTerm(terms, width, low));
    const wide = terms.zext(by, 2 * width);
    return known(
      isLeft
        ? terms.extract(terms.shl(both, wide), width, width)
        : terms.extract(terms.lshr(both, wide), 0, width),
    );
  };

const copy =
  (mayOverlap: boolean): Make =>
  () =>
  (machine, args) => {
    const [to, from, length] = args;
    checkRange(machine, from, length, 'read');
    checkRange(machine, to, length, 'write');
    const bytes = lengthOf(machine, length);
    if (!mayOverlap) checkApart(machine, to, from, bytes);
    noteOwnRange(machine, from, length, 'read');
    noteOwnRange(machine, to, length, 'write');
    copyBytes(machine, to, from, bytes);
    return undefined;
  };

const fill: Make = () => (machine, args) => {
  const [to, byte, length] = args;
  checkRange(machine, to, length, 'write');
  noteOwnRange(machine, to, length, 'write');
  fillBytes(machine, to, byte, lengthOf(machine, length));
  return undefined;
};

function objectSize(machine: Path, args: CallArguments): Scalar {
  const object = typeof args[0] === 'object' ? undefined : machine.state.memory.find(Number(args[0]));
  if (object === undefined) return args[1] === 1 ? 0 : V.allOnes(64);
  return object.info.base + object.info.bytes - Number(args[0]);
}

/** The address of the running thread's copy of a variable; main uses the variable itself. */
function threadLocal({ state, program }: Running, variable: Scalar): Scalar {
  const { threads, memory } = state;
  const address = Number(variable);
  if (threads === undefined || threads.current.handle === 0) return variable;
  const { handle, copies } = threads.current;
  const known = copies.get(address);
  if (known !== undefined) return known;
  const { origin } = memory.at(address)!;
  const copy = memory.allocate(Region.globals, LARGEST_ALIGN, origin);
  program.initialize(address, memory.writable(memory.find(copy)!));
  threads.change(handle, { copies: new Map(copies).set(address, copy) });
  return copy;
}

/** The largest alignment of a C type. */
const LARGEST_ALIGN = 16;

const intrinsics: Record<string, Make> = {
  // Older IR has the size first.
  'lifetime.end': () => (machine, args) => {
    leaveScope(machine, Number(args.at(-1)));
    return undefined;
  },
  memcpy: copy(false),
  'memcpy.inline': copy(false),
  memmove: copy(true),
  memset: fill,
  'memset.inline': fill,
  va_start: () => (machine, args) => {
    store(machine, args[0], 8, machine.state.frame.variadics);
    return undefined;
  },
  va_end: nothing,
  va_copy: () => (machine, args) => {
    store(machine, args[0], 8, load(machine, args[1], 8));
    return undefined;
  },
  'sadd.with.overflow': withOverflow('add', true),
  'uadd.with.overflow': withOverflow('add', false),
  'ssub.with.overflow': withOverflow('sub', true),
  'usub.with.overflow': withOverflow('sub', false),
  'smul.with.overflow': withOverflow('mul', true),
  'umul.with.overflow': withOverflow('mul', false),
  'sadd.sat': saturating('add', true),
  'uadd.sat': saturating('add', false),
  'ssub.sat': saturating('sub', true),
  'usub.sat': saturating('sub', false),
  smax: choose('sgt'),
  smin: choose('slt'),
  umax: choose('ugt'),
  umin: choose('ult'),
  abs:
    width =>
    (machine, [a, leastIsPoison]) => {
      if (leastIsPoison === 1) checkOverflow(machine, 'sub', width, 0, a);
      const { terms } = machine;
      const x = asTerm(terms, width, a);
      return known(terms.ite(terms.slt(x, terms.constant(width, 0)), terms.neg(x), x));
    },
  ctpop:
    width =>
    ({ terms }, [a]) => {
      let sum = bit(terms, width, a, 0);
      for (let i = 1; i < width; i++) sum = terms.add(sum, bit(terms, width, a, i));
      return known(sum);
    },
  ctlz: countZeros(true),
  cttz: countZeros(false),
  bswap: reverse(8),
  bitreverse: reverse(1),
  fshl: funnelShift(true),
  fshr: funnelShift(false),
  expect: () => (_machine, args) => args[0],
  'expect.with.probability': () => (_machine, args) => args[0],
  'threadlocal.address':
    () =>
    (machine, [variable]) =>
      threadLocal(machine, variable),
  'launder.invariant.group': () => (_machine, args) => args[0],
  'ssa.copy': () => (_machine, args) => args[0],
  ptrmask:
    () =>
    ({ terms }, [a, mask]) =>
      integerOperation(terms, 'and', 64, a, mask),
  assume: nothing,
  'experimental.noalias.scope.decl': nothing,
  donothing: nothing,
  prefetch: nothing,
  'invariant.start': () => () => 0,
  'invariant.end': nothing,
  'is.constant': () => () => 0,
  objectsize: () => objectSize,
  stacksave: () => machine => machine.state.frame.locals.length,
  stackrestore: () => (machine, args) => {
    restoreStack(machine, Number(args[0]));
    return undefined;
  },
  returnaddress: () => () => 0,
  frameaddress: () => () => 0,
  'get.rounding': () => () => 1,
  trap: () => machine => machine.fail({ kind: 'trap' }),
  debugtrap: nothing,
  ubsantrap: () => machine => machine.fail({ kind: 'trap' }),
};
