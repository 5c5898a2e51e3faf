/** Whole ranges of memory: copied and filled. */
import { resolve } from './access.js';
import type { Machine } from './machine.js';
import type { Scalar } from './value.js';

/** Copies what may overlap. Both ranges are checked first. */
export function copyBytes(machine: Machine, to: Scalar, from: Scalar, bytes: number): void {
  if (bytes === 0) return;
  const source = resolve(machine, from, bytes, 'read');
  const target = resolve(machine, to, bytes, 'write');
  const at = Number(machine.concretize(source.offset, 'the symbolic start of a copy'));
  const start = Number(machine.concretize(target.offset, 'the symbolic start of a copy'));
  if (target.object.info.isReadOnly) machine.failReadOnly(target.object, 'write', bytes);
  const object = machine.state.memory.writable(target.object);
  object.copyFrom(machine.state.memory.current(source.object.info), at, start, bytes);
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
  const { object, offset } = resolve(machine, to, bytes, 'write');
  const start = Number(machine.concretize(offset, 'the symbolic start of a fill'));
  if (object.info.isReadOnly) machine.failReadOnly(object, 'write', bytes);
  const target = machine.state.memory.writable(object);
  target.fill(start, bytes, byte);
}
