/**
 * From a pointer to the object it may access, or to the finding that it may not.
 *
 * A pointer is judged by the object that it was made from: the base under the getelementptrs that compute it (`root`), or
 * the constant in its term. Only the offset is checked, against that object alone. So an overflow is found even where it
 * lands in a neighbour, and one question is asked however many objects there are. Where a pointer has no such base, the
 * solver names an address that it can have, the path forks on being inside the object there, and the other half asks again.
 *
 *     decide(in bounds)  ──true──▶ the access, with an offset that is known or a term
 *                        ──false─▶ (another state) the finding, or the next object
 *
 * Everything here happens before the instruction has had any effect, so the state that is forked off begins with it again.
 *
 * Where an error is not looked for (`--checks`), the access goes to an object that stands in (`unchecked.ts`), and the path goes on.
 */

import type { Term } from '../../expr/term.js';
import { Op } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import type { FindingCode } from '../../findings/codes.js';
import type { AccessKind, ObjectKind } from '../../findings/finding.js';
import { SLOT_SIZES } from '../../kdalloc/index.js';
import type { Memory } from '../memory/memory.js';
import type { ObjectState, Target } from '../memory/object-state.js';
import type { Life } from '../memory/origin.js';
import { count, endsInLibrary, type FindingDetails } from '../state/finding.js';
import type { Accesses, Decisions, Failures } from '../state/running.js';
import { asTerm, type Known, known, type Scalar } from '../values/value.js';
import { standIn } from './unchecked.js';
import { requireDefined } from './undefined-use.js';

/** Below this nothing is ever mapped: such an address is null plus an offset. */
const NULL_PAGE = 4096;

/** A symbolic write into an object larger than this happens at one of its offsets only, if there are many. */
const LARGEST_SYMBOLIC_WRITE = 8192;

export function load(machine: Accesses, address: Scalar, bytes: number, root: Scalar = address): Scalar {
  const { object, offset } = resolve(machine, address, bytes, 'read', root);
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
): void {
  const { object, offset } = resolve(machine, address, bytes, 'write', root);
  const target = machine.state.memory.writable(object);
  if (typeof offset === 'number') target.write(machine, offset, bytes, value);
  else target.writeAt(machine, offset, bytes, value);
}

/** Requires bytes > 0. Ends the path with a finding if the access is not allowed. */
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
  return kind === 'write' && target.object.info.isReadOnly
    ? failReadOnly(machine, target.object, bytes)
    : target;
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

/** Does a range that ends there lie in a block of symbolic size? */
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
    if (offset === undefined) return failAccess(machine, base, undefined, bytes, kind);
    if (base.life !== 'live') return failAccess(machine, base, undefined, bytes, kind);
    return { object: base, offset: forAccess(machine, base, offset, kind) };
  }
  // No base: fork over what the solver says it may be.
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

/** A pointer that has left its object is judged by it, wherever it points to now. */
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
  if (object.life !== 'live') return failAccess(machine, object, undefined, bytes, kind);
  if (typeof offset === 'object') return { object, offset: forAccess(machine, object, offset, kind) };
  const at = Number(offset ?? Number.NaN);
  return at >= 0 && at + bytes <= object.info.bytes
    ? { object, offset: at }
    : failAccess(machine, object, offset === undefined ? undefined : at, bytes, kind);
}

/**
 * The offset of an address in an object, if the access lies inside; forks when it may also lie outside, and is undefined
 * when it does.
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

/** The object that a term points into by the way it was made. */
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

// -------------------------------------------------------------------------------------------- findings

export const overflowCodes: Record<ObjectKind, FindingCode> = {
  heap: 'heap-buffer-overflow',
  stack: 'stack-buffer-overflow',
  global: 'global-buffer-overflow',
  constant: 'global-buffer-overflow',
};

const lifeCodes: Record<Exclude<Life, 'live'>, FindingCode> = {
  freed: 'use-after-free',
  'out-of-scope': 'use-after-scope',
  returned: 'use-after-return',
};

const lifeWords: Record<Exclude<Life, 'live'>, string> = {
  freed: 'a block that was freed',
  'out-of-scope': 'a local variable whose scope has ended',
  returned: 'a local variable of a function that has returned',
};

export function failAccess(
  machine: Failures,
  object: ObjectState,
  offset: number | undefined,
  bytes: number,
  kind: AccessKind,
): Target {
  const { info, life } = object;
  const what = `${kind} of ${count(bytes, 'byte')}`;
  if (life !== 'live')
    return failOrGoOn(machine, lifeCodes[life], bytes, kind, `${what} in ${lifeWords[life]}`, { object });
  if (info.isVariadic) return failArguments(machine, bytes, kind);
  const place = offset === undefined ? 'outside' : offset < 0 ? 'before the start of' : 'past the end of';
  const label = offset === undefined ? undefined : distance(offset, bytes, machine.sizeOnTest(object));
  const message = `${what} ${place} ${describe(machine, object)}`;
  return failOrGoOn(machine, overflowCodes[info.kind], bytes, kind, message, {
    object,
    ...(label === undefined ? {} : { label }),
  });
}

function failReadOnly(machine: Failures, object: ObjectState, bytes: number): Target {
  const message = 'write to memory that is constant';
  return failOrGoOn(machine, 'write-to-constant', bytes, 'write', message, { object });
}

/** The finding, or a target that stands in where that is not looked for. */
function failOrGoOn(
  machine: Failures,
  code: FindingCode,
  bytes: number,
  kind: AccessKind,
  message: string,
  details: FindingDetails = {},
): Target {
  return machine.isUnchecked(code)
    ? standIn(machine, bytes, kind)
    : machine.fail(code, message, { ...details, access: { kind, bytes } });
}

/** An access past the variable arguments of a call. */
function failArguments(machine: Failures, bytes: number, kind: AccessKind): Target {
  const code = endsInLibrary(machine.trace()) ? 'bad-format-string' : 'stack-buffer-overflow';
  if (machine.isUnchecked(code)) return standIn(machine, bytes, kind);
  return code === 'bad-format-string'
    ? machine.fail(code, 'the format asks for more or larger arguments than the call passes')
    : machine.fail(code, `${kind} of ${count(bytes, 'byte')} past the variadic arguments of the call`, {
        access: { kind, bytes },
      });
}

export function describe(machine: Failures, object: ObjectState): string {
  const { name, kind } = object.info;
  const bytes = machine.sizeOnTest(object);
  const article = /^8|^11$|^18$/.test(String(bytes)) ? 'an' : 'a';
  return `${article} ${bytes}-byte ${kind === 'heap' ? 'block' : 'object'}${name === undefined ? '' : ` \`${name}\``}`;
}

function distance(offset: number, bytes: number, size: number): string {
  if (offset < 0) return `${count(-offset, 'byte')} before the start`;
  if (offset < size) return `${count(offset + bytes - size, 'byte')} past the end`;
  return `${offset === size ? 'just' : count(offset - size, 'byte')} after the end`;
}

/** `exact` is the address, which may be too large for a number. */
function failOutside(machine: Failures, exact: Known, bytes: number, kind: AccessKind): Target {
  const address = Number(exact);
  const hexadecimal = exact.toString(16);
  const access = { kind, bytes };
  const what = `${kind} of ${count(bytes, 'byte')}`;
  if (address < NULL_PAGE)
    return machine.fail('null-dereference', `${what} through a null pointer`, { access });
  const near = nearest(machine.state.memory, address);
  if (near !== undefined) return failAccess(machine, near, address - near.info.base, bytes, kind);
  return machine.fail('wild-pointer', `${what} at 0x${hexadecimal}, where no object is`, { access });
}

/** The object around an address that is in none: the one whose place it is in, or a neighbour within reach. */
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
