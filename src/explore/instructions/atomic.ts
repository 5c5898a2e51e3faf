/**
 * Atomic instructions: a load, an operation and a store. If schedules are explored, each is first a
 * scheduling point: the library's scheduling function is called, and the instruction is executed
 * after it.
 */

import type { AtomicOp, AtomicRmwInstruction, CompareExchangeInstruction, Ordering } from '../../ir/model.js';
import { assert } from '../../support/assert.js';
import { load, store } from '../access/access.js';
import { isOfLibrary, noteAtomic } from '../access/shared-access.js';
import type { Decoder } from '../program/decoder.js';
import { type Handler, Step } from '../state/decoded.js';
import type { Atomic, MemoryOrder } from '../state/path-races.js';
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

const orders: Readonly<Record<Ordering, MemoryOrder>> = {
  unordered: { acquires: false, releases: false },
  monotonic: { acquires: false, releases: false },
  acquire: { acquires: true, releases: false },
  release: { acquires: false, releases: true },
  acq_rel: { acquires: true, releases: true },
  seq_cst: { acquires: true, releases: true },
};

/** The scope of `atomic_signal_fence`, which orders nothing between threads. */
const signalScope = 'singlethread';

/** The step of an atomic instruction with its scheduling point. */
export function atThreadPoint(decoder: Decoder, step: Step): Step {
  const { ir } = step;
  const isLoadOrStore = ir.op === 'load' || ir.op === 'store';
  const ordering = ir.op === 'cmpxchg' ? ir.successOrdering : 'ordering' in ir ? ir.ordering : undefined;
  if (ordering === undefined || (ir.op === 'fence' && ir.syncScope === signalScope)) return step;
  const isAccess = ir.op !== 'fence';
  const atomic: Atomic = {
    loads: ir.op !== 'store',
    stores: ir.op !== 'load',
    ...orders[ordering as Ordering],
  };
  const type = ir.op === 'store' ? ir.value.type : ir.op === 'cmpxchg' ? ir.expected.type : ir.type;
  const bytes = isAccess ? decoder.layout.storeBytes(type) : 0;
  assert(isLoadOrStore || ir.op === 'fence' || ir.op === 'cmpxchg' || ir.op === 'atomicrmw', 'it is atomic');
  const { into, a, b, c, width } = step;
  const failed =
    ir.op === 'cmpxchg' ? { loads: true, stores: false, ...orders[ir.failureOrdering] } : undefined;
  const detail: AtomicDetail = { step, atomic, failed, bytes };
  return Step.of<AtomicDetail, RegisterValue>({ run: runAtThreadPoint, ir, into, a, b, c, width, detail });
}

interface AtomicDetail {
  readonly step: Step;
  readonly atomic: Atomic;
  /** The effect of a compare-exchange that finds another value. */
  readonly failed: Atomic | undefined;
  /** 0 for a fence. */
  readonly bytes: number;
}

const runAtThreadPoint: Handler<AtomicDetail, RegisterValue> = (machine, { detail, a, into }, regs) => {
  const { step, atomic, failed, bytes } = detail;
  const { threads, frame } = machine.state;
  if (threads?.hasBegun !== true || isOfLibrary(frame.target)) return step.run(machine, step, regs);
  const address = bytes === 0 ? 0 : Number(machine.fewValues(scalarIn(regs, a), 'a symbolic pointer'));
  const { handle, isPastPoint } = threads.current;
  const point = machine.program.functionNamed('__rz_thread_point');
  if (!isPastPoint && point !== undefined) {
    const what = bytes === 0 ? 'nothing' : atomic.stores ? 'writes' : 'reads';
    threads.change(handle, { isPastPoint: true, about: { what, object: address, second: 0 } });
    machine.pushConstructor(point);
    return true;
  }
  const result = step.run(machine, step, regs);
  if (bytes === 0) threads.races.fence(handle, atomic);
  else noteAtomic(machine, address, bytes, failed && !hasStored(regs[into]!) ? failed : atomic);
  threads.change(handle, { isPastPoint: false });
  return result;
};

/**
 * Whether a compare-exchange has stored: its result is the value found, and whether it was
 * replaced.
 */
function hasStored(result: RegisterValue): boolean {
  return Array.isArray(result) && result[1] === 1;
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
