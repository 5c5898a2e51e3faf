/** Whole ranges of memory: copied and filled. */
import type { AccessKind } from '../findings/finding.js';
import { failAccess, isWithin, resolve } from './access.js';
import type { Machine } from './machine.js';
import { FILLER } from './unwritten.js';
import type { Scalar } from './value.js';

/**
 * The length of a range as a number. Of a symbolic one it is asked first whether the range can leave the object: that is a path of its
 * own, with a finding at its end.
 */
export function lengthOfRange(machine: Machine, pointer: Scalar, length: Scalar, kind: AccessKind): number {
  if (typeof length === 'object') {
    const { terms } = machine;
    if (machine.decide(terms.eq(length, terms.constant(length.width, 0)))) return 0;
    const { object, offset } = resolve(machine, pointer, 1, kind);
    const start = typeof offset === 'number' ? offset : 0;
    const isInside = terms.ule(length, terms.constant(length.width, object.info.bytes - start));
    const end = terms.add(terms.zext(length, 64), terms.constant(64, start));
    const fits =
      object.info.length === undefined
        ? isInside
        : terms.and(isInside, isWithin(terms, end, object.info.length));
    if (!machine.decide(fits)) {
      const bytes = Number(machine.valueOf(length));
      return failAccess(machine, object, typeof offset === 'number' ? offset : undefined, bytes, kind);
    }
  }
  return Number(machine.fewValues(length, 'the symbolic length of a range'));
}

/** Copies what may overlap. Both ranges are checked first. */
export function copyBytes(machine: Machine, to: Scalar, from: Scalar, bytes: number): void {
  if (bytes === 0) return;
  const { memory } = machine.state;
  if (typeof to === 'number' && typeof from === 'number' && memory.copyPlain(to, from, bytes)) return;
  const source = resolve(machine, from, bytes, 'read');
  const target = resolve(machine, to, bytes, 'write');
  const at = Number(machine.fewValues(source.offset, 'the symbolic start of a copy'));
  const start = Number(machine.fewValues(target.offset, 'the symbolic start of a copy'));
  if (target.object.info.isReadOnly) machine.failReadOnly(target.object, 'write', bytes);
  const object = memory.writable(target.object);
  object.copyFrom(memory.current(source.object.info), at, start, bytes);
}

/** Of `memcpy`, whose ranges must not overlap; an object may be copied to itself. */
export function checkApart(machine: Machine, to: Scalar, from: Scalar, bytes: number): void {
  if (typeof to === 'object' || typeof from === 'object') return;
  const distance = Math.abs(Number(to) - Number(from));
  if (distance > 0 && distance < bytes)
    machine.fail(
      'overlapping-copy',
      `copy of ${bytes} bytes between ranges that are ${distance} bytes apart`,
    );
}

export function fillBytes(machine: Machine, to: Scalar, byte: Scalar, bytes: number): void {
  if (bytes === 0) return;
  const isKnown = typeof to === 'number' && typeof byte === 'number' && byte !== FILLER;
  if (isKnown && machine.state.memory.fillPlain(to, byte, bytes)) return;
  const { object, offset } = resolve(machine, to, bytes, 'write');
  const start = Number(machine.fewValues(offset, 'the symbolic start of a fill'));
  if (object.info.isReadOnly) machine.failReadOnly(object, 'write', bytes);
  const target = machine.state.memory.writable(object);
  target.fill(start, bytes, byte);
}
