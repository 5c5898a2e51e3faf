/**
 * Arrays inside objects: the handlers that clang and `passes/inner-arrays.ts` call when an index
 * or a text may have left one.
 */

import { arrayName } from '../../findings/undefined-arithmetic.js';
import { elementUses } from '../../passes/inner-array-handlers.js';
import { resolve } from '../access/access.js';
import type { ObjectState } from '../memory/object-state.js';
import type { CallArguments } from '../state/decoded.js';

import type { Accesses } from '../state/running.js';

import { asTerm, type Scalar } from '../values/register-value.js';
import { bytesAt, dataReader } from './text.js';

/** An index is outside its array: this path ends with a finding. */
export function failInnerBounds(machine: Accesses, args: CallArguments): never {
  const [data, index, start, elementBytes, use, bytes] = args.map(each =>
    Number(BigInt.asIntN(64, BigInt(machine.concretizeQuietly(each)))),
  ) as [number, number, number, number, number, number];
  const kind = elementUses[use] === 'write' ? 'write' : 'read';
  const isAddress = elementUses[use] === 'address';
  // If the access is outside the object, or the object is dead, that is reported instead.
  const { object } = resolve(machine, start + index * elementBytes, Math.max(bytes, 1), kind, start);
  const array = arrayName(data, dataReader(machine));
  const address = start + index * elementBytes;
  return machine.fail({
    kind: 'access',
    operation: kind,
    bytes,
    address: BigInt(address),
    object: machine.factsOf(object),
    offset: address - object.info.base,
    element: { index: BigInt(index), array, isAddress },
  });
}

/**
 * Checks a text of at most `limit` bytes that a function has written to an array of `room` bytes.
 */
export function checkInnerText(machine: Accesses, [to, room, limit]: CallArguments): undefined {
  if (fits(machine, limit, Number(room))) return;
  const { terms } = machine;
  const place = placeOf(machine, to, Number(room));
  if (place === undefined) return;
  const { object, start } = place;
  let hasEnd = terms.false;
  for (let at = start; at < start + Number(room); at++) {
    const byte = object.read(machine, at, 1);
    if (typeof byte === 'object') hasEnd = terms.or(hasEnd, terms.eq(byte, terms.constant(8, 0)));
    else if (Number(byte) === 0) return;
  }
  if (!hasEnd.isConst && machine.decide(hasEnd)) return;
  const written = bytesAt(machine, object.info.base + start, object.info.bytes - start).indexOf(0) + 1;
  failRange(machine, object, Number(room), written, true);
}

/** Checks a write of `bytes` bytes to an array of `room` bytes. */
export function checkInnerRange(machine: Accesses, [to, room, bytes]: CallArguments): undefined {
  if (fits(machine, bytes, Number(room))) return;
  const place = placeOf(machine, to, Number(room));
  if (place === undefined) return;
  failRange(machine, place.object, Number(room), Number(machine.concretizeQuietly(bytes)), false);
}

function fits(machine: Accesses, bytes: Scalar, room: number): boolean {
  const { terms } = machine;
  if (typeof bytes !== 'object') return BigInt.asUintN(64, BigInt(bytes)) <= BigInt(room);
  return machine.decide(terms.ule(asTerm(terms, 64, bytes), terms.constant(64, room)));
}

/** Undefined if the object ends before the array does, or the address is symbolic. */
function placeOf(
  machine: Accesses,
  pointer: Scalar,
  room: number,
): { readonly object: ObjectState; readonly start: number } | undefined {
  const { object, offset } = resolve(machine, pointer, 1, 'write');
  if (typeof offset === 'object' || offset + room > object.info.bytes) return undefined;
  return { object, start: offset };
}

function failRange(
  machine: Accesses,
  object: ObjectState,
  room: number,
  bytes: number,
  isText: boolean,
): never {
  return machine.fail({ kind: 'room', object: machine.factsOf(object), bytes, room, isText });
}
