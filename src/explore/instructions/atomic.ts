/** Atomic instructions: with one thread, a load, an operation and a store. */

import type { AtomicOp, AtomicRmwInstruction, CompareExchangeInstruction } from '../../ir/model.js';
import { load, store } from '../access/access.js';
import type { Decoder } from '../program/decoder.js';
import { type Handler, Step } from '../state/decoded.js';
import type { Path } from '../state/running.js';
import { integerOperation } from '../values/integer-operations.js';
import { asTerm, known, type RegisterValue, type Scalar, scalarIn } from '../values/register-value.js';
import { unsupported } from './unsupported.js';

export function decodeAtomic(
  decoder: Decoder,
  instruction: CompareExchangeInstruction | AtomicRmwInstruction,
): Step {
  const into = decoder.register(instruction);
  const a = decoder.register(instruction.pointer);
  if (instruction.op === 'cmpxchg') {
    const bytes = decoder.layout.storeBytes(instruction.expected.type);
    const b = decoder.register(instruction.expected);
    const c = decoder.register(instruction.replacement);
    return Step.of({ run: runExchange, ir: instruction, into, a, b, c, width: bytes });
  }
  const update = updates[instruction.operation];
  if (update === undefined || instruction.type.kind === 'float')
    return unsupported(decoder, instruction, `the atomic operation ${instruction.operation}`);
  const bytes = decoder.layout.storeBytes(instruction.type);
  return Step.of({
    run: runUpdate,
    ir: instruction,
    into,
    a,
    b: decoder.register(instruction.value),
    width: bytes,
    detail: update,
  });
}

type Update = (machine: Path, width: number, old: Scalar, value: Scalar) => Scalar;

const pick =
  (isFirst: 'ult' | 'ugt' | 'slt' | 'sgt'): Update =>
  ({ terms }, width, old, value) => {
    const x = asTerm(terms, width, old);
    const y = asTerm(terms, width, value);
    return known(terms.ite(terms[isFirst](x, y), x, y));
  };

const operate =
  (op: 'add' | 'sub' | 'and' | 'or' | 'xor'): Update =>
  ({ terms }, width, old, value) =>
    integerOperation(terms, op, width, old, value);

const updates: Partial<Record<AtomicOp, Update>> = {
  xchg: (_machine, _width, _old, value) => value,
  add: operate('add'),
  sub: operate('sub'),
  and: operate('and'),
  or: operate('or'),
  xor: operate('xor'),
  nand: ({ terms }, width, old, value) =>
    known(terms.not(terms.and(asTerm(terms, width, old), asTerm(terms, width, value)))),
  max: pick('sgt'),
  min: pick('slt'),
  umax: pick('ugt'),
  umin: pick('ult'),
};

const runUpdate: Handler<Update> = (machine, step, regs) => {
  const address = regs[step.a]!;
  const old = load(machine, address, step.width);
  store(machine, address, step.width, step.detail(machine, 8 * step.width, old, regs[step.b]!));
  regs[step.into] = old;
  return undefined;
};

const runExchange: Handler<undefined, RegisterValue> = (machine, step, regs) => {
  const { terms } = machine;
  const address = scalarIn(regs, step.a);
  const width = 8 * step.width;
  const found = load(machine, address, step.width);
  const isEqual = terms.eq(asTerm(terms, width, found), asTerm(terms, width, scalarIn(regs, step.b)));
  const replaced = machine.decide(isEqual);
  if (replaced) store(machine, address, step.width, scalarIn(regs, step.c));
  regs[step.into] = [found, replaced ? 1 : 0];
  return undefined;
};
