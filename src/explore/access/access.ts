/**
 * Resolves a pointer to the object that it may access, or to a finding.
 *
 * A pointer is checked against the object from which it was derived: the base under the
 * getelementptrs that compute it (`root`), or the constant in its term. Only the offset into that
 * object is checked. So an overflow into a neighbouring object is found, and one query is enough
 * however many objects there are. If a pointer has no such base, the solver returns one possible
 * address, the path forks on whether the pointer is inside the object there, and the other state
 * repeats the query.
 *
 *     decide(in bounds)  ──true──▶ the access, with an offset that is known or a term
 *                        ──false─▶ (another state) the finding, or the next object
 *
 * Everything here happens before the instruction has had any effect, so the forked state executes
 * it again.
 *
 * If a check is turned off (`--checks`), an invalid access goes to a substitute object
 * (`unchecked.ts`), and the path continues.
 */

import type { Term } from '../../expr/term.js';
import { Op } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import type { AccessKind } from '../../findings/finding.js';
import { overflowCodes, staleCodes } from '../../findings/words/access-words.js';
import { SLOT_SIZES } from '../../kdalloc/index.js';
import type { Memory } from '../memory/address-space.js';

import type { ObjectState, Target } from '../memory/object-state.js';
import { endsInLibrary } from '../state/make-finding.js';

import type { Accesses, Decisions, Failures } from '../state/running.js';
import { asTerm, type Known, known, type Scalar } from '../values/register-value.js';
import { standIn } from './unchecked.js';
import { requireDefined } from './undefined-use.js';

/** Nothing is mapped below this address: a smaller one is null plus an offset. */
const NULL_PAGE = 4096;

/** A symbolic write into a larger object is concretized to one offset if there are many. */
const LARGEST_SYMBOLIC_WRITE = 8192;

/** `isNatural`: whether the address must be a multiple of the size. */
export function load(
  machine: Accesses,
  address: Scalar,
  bytes: number,
  root: Scalar = address,
  isNatural = false,
): Scalar {
  const target = resolve(machine, address, bytes, 'read', root);
  if (isNatural) requireAligned(machine, target, bytes, 'read');
  const { object, offset } = target;
  return typeof offset === 'number'
    ? object.read(machine, offset, bytes)
    : object.readAt(machine, offset, bytes);
}

export function store(
  machine: Accesses,
  address: Scalar,
  bytes: number,
  value: Scalar,
  root: Scalar = address,
  isNatural = false,
): void {
  const { object, offset } = resolve(machine, address, bytes, 'write', root);
  if (isNatural) requireAligned(machine, { object, offset }, bytes, 'write');
  const target = machine.state.memory.writable(object);
  if (typeof offset === 'number') target.write(machine, offset, bytes, value);
  else target.writeAt(machine, offset, bytes, value);
}

/** Ends the path with a finding if the access is misaligned. */
function requireAligned(
  machine: Accesses,
  { object, offset }: Target,
  bytes: number,
  kind: AccessKind,
): void {
  const { terms } = machine;
  const { base } = object.info;
  if (typeof offset === 'number') {
    if ((base + offset) % bytes === 0) return;
  } else {
    const low = terms.extract(offset, 0, Math.log2(bytes));
    const aligned = terms.eq(low, terms.constant(low.width, -base & (bytes - 1)));
    if (aligned === terms.true || machine.decide(aligned)) return;
  }
  machine.fail({
    kind: 'misaligned',
    operation: operationOf(kind),
    bytes,
    object: machine.factsOf(object),
    offset: Number(machine.onTest(offset)),
  });
}

/** Requires bytes > 0. Ends the path with a finding if the access is invalid. */
export function resolve(
  machine: Accesses,
  address: Scalar,
  bytes: number,
  kind: AccessKind,
  root: Scalar = address,
): Target {
  const target =
    typeof address === 'object'
      ? resolveTerm(machine, address, bytes, kind, root)
      : resolveKnown(machine, address, bytes, kind, root);
  return kind === 'write' && target.object.info.isReadOnly ? failReadOnly(machine, target, bytes) : target;
}

function resolveKnown(
  machine: Accesses,
  address: Known,
  bytes: number,
  kind: AccessKind,
  root: Scalar,
): Target {
  const { memory } = machine.state;
  const at = Number(address);
  let object = root !== address && typeof root !== 'object' ? memory.find(Number(root)) : undefined;
  object ??= memory.find(at);
  if (object === undefined) return failOutside(machine, address, bytes, kind);
  const offset = at - object.info.base;
  if (object.life !== 'live' || offset < 0 || offset + bytes > object.info.bytes)
    return failAccess(machine, object, offset, bytes, kind);
  const { length } = object.info;
  if (length !== undefined && !machine.decide(isWithin(machine.terms, offset + bytes, length)))
    return failAccess(machine, object, offset, bytes, kind);
  return { object, offset };
}

/** Whether a range that ends there is inside a block of symbolic size. */
export function isWithin(terms: Terms, end: number | Term, length: Term): Term {
  return terms.ule(typeof end === 'object' ? end : terms.constant(64, end), length);
}

function resolveTerm(
  machine: Accesses,
  address: Term,
  bytes: number,
  kind: AccessKind,
  root: Scalar,
): Target {
  const { terms, state } = machine;
  const origin = machine.strays.originOf(address) ?? machine.strays.originOf(root);
  if (origin !== undefined) return resolveStray(machine, address, bytes, kind, origin);
  const simpler = state.constraints.simplify(address);
  if (simpler.isConst) return resolveKnown(machine, simpler.value, bytes, kind, root);
  requireDefined(machine, simpler);
  const { memory } = state;
  const base = baseObject(memory, simpler, root);
  if (base !== undefined) {
    const offset = inBounds(machine, base, simpler, bytes);
    if (offset === undefined) return failAt(machine, base, simpler, bytes, kind);
    if (base.life !== 'live') return failAccess(machine, base, offset, bytes, kind);
    return { object: base, offset: forAccess(machine, base, offset, kind) };
  }
  // The pointer has no base: fork over the possible objects.
  machine.countResolution();
  const value = machine.valueOf(simpler);
  const object = memory.find(Number(value));
  if (object === undefined || object.life !== 'live') {
    machine.decide(terms.eq(simpler, terms.constant(64, value)));
    return resolveKnown(machine, value, bytes, kind, value);
  }
  const offset = inBounds(machine, object, simpler, bytes);
  if (offset === undefined) return resolveTerm(machine, address, bytes, kind, root);
  return { object, offset: forAccess(machine, object, offset, kind) };
}

/** A pointer that has left its object is checked against it, wherever it points now. */
function resolveStray(
  machine: Accesses,
  address: Term,
  bytes: number,
  kind: AccessKind,
  origin: number,
): Target {
  const object = machine.state.memory.find(origin)!;
  const simpler = machine.state.constraints.simplify(address);
  const offset = simpler.isConst ? Number(simpler.value) - origin : inBounds(machine, object, simpler, bytes);
  if (offset === undefined) return failAt(machine, object, simpler, bytes, kind);
  if (object.life !== 'live') return failAccess(machine, object, offset, bytes, kind);
  if (typeof offset === 'object') return { object, offset: forAccess(machine, object, offset, kind) };
  const at = Number(offset);
  return at >= 0 && at + bytes <= object.info.bytes
    ? { object, offset: at }
    : failAccess(machine, object, at, bytes, kind);
}

/**
 * The offset of an address in an object if the access is inside. Forks if it may also be outside;
 * undefined in the state where it is.
 */
function inBounds(machine: Decisions, object: ObjectState, address: Term, bytes: number): Scalar | undefined {
  const { terms } = machine;
  const { base, bytes: size } = object.info;
  const offset = terms.sub(address, terms.constant(64, base));
  if (size < bytes) return machine.decide(terms.false) ? offset : undefined;
  const inside = terms.ule(offset, terms.constant(64, size - bytes));
  const { length } = object.info;
  const isInside =
    length === undefined
      ? inside
      : terms.and(inside, isWithin(terms, terms.add(offset, terms.constant(64, bytes)), length));
  if (!machine.decide(isInside)) return undefined;
  return known(machine.state.constraints.simplify(offset));
}

/** The object into which a term points according to its structure. */
function baseObject(memory: Memory, address: Term, root: Scalar): ObjectState | undefined {
  if (typeof root !== 'object') return memory.find(Number(root));
  for (const term of [address, root]) {
    if (term.op !== Op.Add || !term.b.isConst) continue;
    const object = memory.find(Number(term.b.value));
    if (object !== undefined) return object;
  }
  return undefined;
}

function forAccess(machine: Accesses, object: ObjectState, offset: Scalar, kind: AccessKind): number | Term {
  if (typeof offset !== 'object') return Number(offset);
  if (kind === 'write' && object.info.bytes > LARGEST_SYMBOLIC_WRITE)
    return Number(machine.fewValues(offset, 'a symbolic offset into a large object'));
  const { terms } = machine;
  const index = known(terms.extract(asTerm(terms, 64, offset), 0, 32));
  return typeof index === 'object' ? index : Number(index);
}

// ---------------------------------------------------------------------------------------- findings

/**
 * Reports the finding, or returns a substitute object if the check is turned off. `offset` is
 * relative to the start of the object; a symbolic offset has its value on the path's test.
 */
export function failAccess(
  machine: Failures,
  object: ObjectState,
  offset: Scalar,
  bytes: number,
  kind: AccessKind,
): Target {
  const { info, life } = object;
  if (info.isVariadic && life === 'live') return failArguments(machine, info.bytes, bytes, kind);
  const code = life === 'live' ? overflowCodes[info.kind] : staleCodes[life];
  return machine.isUnchecked(code)
    ? standIn(machine, bytes, kind)
    : failIn(machine, object, offset, bytes, kind);
}

function failReadOnly(machine: Failures, { object, offset }: Target, bytes: number): Target {
  return machine.isUnchecked('write-to-constant')
    ? standIn(machine, bytes, 'write')
    : failIn(machine, object, offset, bytes, 'write');
}

function failIn(
  machine: Failures,
  object: ObjectState,
  offset: Scalar,
  bytes: number,
  kind: AccessKind,
): never {
  const distance = BigInt.asIntN(64, BigInt(machine.onTest(offset)));
  return machine.fail({
    kind: 'access',
    operation: operationOf(kind),
    bytes,
    address: BigInt.asUintN(64, BigInt(object.info.base) + distance),
    object: machine.factsOf(object),
    offset: Number(distance),
  });
}

/** `failAccess` for an address that may be a term. */
function failAt(
  machine: Failures,
  object: ObjectState,
  address: Scalar,
  bytes: number,
  kind: AccessKind,
): Target {
  const distance = BigInt(machine.onTest(address)) - BigInt(object.info.base);
  return failAccess(machine, object, distance, bytes, kind);
}

/**
 * An access past the variable arguments of a call. A call without any has one byte, so that the
 * list has an address.
 */
function failArguments(machine: Failures, room: number, bytes: number, kind: AccessKind): Target {
  const isFormat = endsInLibrary(machine.trace());
  if (machine.isUnchecked(isFormat ? 'bad-format-string' : 'stack-buffer-overflow'))
    return standIn(machine, bytes, kind);
  const passedBytes = room === 1 ? 0 : room;
  return machine.fail({ kind: 'variadic', operation: operationOf(kind), bytes, passedBytes, isFormat });
}

/** `exact` is the address, which may be too large for a number. */
function failOutside(machine: Failures, exact: Known, bytes: number, kind: AccessKind): Target {
  const address = Number(exact);
  const near = address < NULL_PAGE ? undefined : nearest(machine.state.memory, address);
  if (near !== undefined) return failAccess(machine, near, address - near.info.base, bytes, kind);
  const { withoutMemory } = machine.state;
  return machine.fail({
    ...{ kind: 'access', operation: operationOf(kind), bytes, address: BigInt(exact) },
    ...(withoutMemory && { withoutMemory }),
  });
}

const operationOf = (kind: AccessKind): 'read' | 'write' => (kind === 'write' ? 'write' : 'read');

/**
 * The object near an address that is in none: the freed object at this place, or a neighbour within
 * reach.
 */
function nearest(memory: Memory, address: number): ObjectState | undefined {
  for (const reach of [1, ...SLOT_SIZES.slice(1), 4096]) {
    const start = Math.floor(address / reach) * reach;
    for (const candidate of [start, address - reach, start - reach, start + reach]) {
      const object = memory.find(candidate);
      if (object !== undefined) return object;
    }
  }
  return undefined;
}
